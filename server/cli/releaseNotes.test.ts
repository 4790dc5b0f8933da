import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NAMESPACE, notesOf, sign } from './releaseNotes.mjs'

const release = {
  ...{ version: '1.2.3', commit: 'c'.repeat(40), from: 'v1.2.2' },
  ...{ subjects: ['Add this', 'Mend that'], sbom: Buffer.from('{"components":[]}') },
}

test('notes name the changes since the last release, and the bill of materials by its sum', () => {
  const notes = notesOf(release)
  expect(notes).toContain('# Parley 1.2.3')
  expect(notes).toContain('Changes since v1.2.2:\n\n- Add this\n- Mend that\n')
  expect(notes).toContain(createHash('sha256').update(release.sbom).digest('hex'))
  expect(notesOf({ ...release, from: null })).toContain('All changes:')
})

// ssh-keygen comes with OpenSSH 8.1 and later
describe.skipIf(spawnSync('ssh-keygen', ['-?']).error)('a signature', () => {
  let folder: string
  let notes: string
  const verify = async () =>
    spawnSync(
      'ssh-keygen',
      ['-Y', 'verify', '-f', `${folder}/signers`, '-I', 'parley', '-n', NAMESPACE, '-s', `${notes}.sig`],
      {
        input: await readFile(notes),
      },
    ).status
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-release-'))
    notes = join(folder, 'RELEASE.md')
    for (const name of ['key', 'other'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    await writeFile(join(folder, 'signers'), `parley ${await readFile(join(folder, 'key.pub'), 'utf8')}`)
    await writeFile(notes, notesOf(release))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is verified by the published key, by no other, and not for changed notes', async () => {
    sign(notes, join(folder, 'other'))
    expect(await verify()).not.toBe(0)
    sign(notes, join(folder, 'key'))
    expect(await verify()).toBe(0)
    await appendFile(notes, '- and more\n')
    expect(await verify()).not.toBe(0)
  })
})
