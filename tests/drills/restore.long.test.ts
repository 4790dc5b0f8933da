import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../server/cli/sources.mjs'
import { login } from '../../server/contracts/auth'
import { listContacts } from '../../server/contracts/contacts'
import { readManifest } from '../../server/platform/backup/manifest'
import { makeFolder, startProcess } from '../support/app'
import { createClient } from '../support/client'
import { keepWriting, OWNER, since, startOwned } from './ownedProcess'

let folder: string
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = promisify(execFile)
const parley = (args: readonly string[], dataDir: string) =>
  run(process.execPath, [join(root, 'server/cli/parley.mjs'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, BACKUP_PASSPHRASE: 'a long passphrase' },
  })

test('restore: a machine is lost, and what was acknowledged before the backup’s end is there on another', async () => {
  const [here, there, backups] = ['here', 'there', 'backups'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const owned = await startOwned({ DATA_DIR: here })
  const { app, pgid } = owned
  const writing = keepWriting(owned, 'contact')
  await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(50)
  const began = performance.now()
  await parley(['backup', '--to', backups], here)
  const backedUp = since(began)
  const finished = writing.acknowledged.length
  await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(finished)
  await writing.stop()
  await app.end('SIGKILL')
  await rm(here, { recursive: true, force: true })

  const lost = performance.now()
  const [newest = ''] = (await readdir(backups)).sort().reverse()
  const { ended_at } = await readManifest(join(backups, newest))
  const held = writing.acknowledged.filter((at) => at < new Date(ended_at)).length
  await parley(['restore', join(backups, newest), '--to', there], there)
  const again = await startProcess({ DATA_DIR: there })
  try {
    const owner = await createClient(again.url)
    await owner.call(login, { body: OWNER })
    const restored = since(lost)
    const { total } = await owner.call(listContacts, { params: { pgid } })
    expect(total).toBeGreaterThanOrEqual(held)
    console.info(
      `restore: ${held} contacts acknowledged before the backup's end, ${total} there; backup ${backedUp} while others wrote, ` +
        `from the loss of the machine to a log-in ${restored}`,
    )
  } finally {
    await again.end('SIGINT')
  }
}, 600_000)
