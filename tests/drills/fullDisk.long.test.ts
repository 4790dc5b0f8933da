import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login } from '../../server/contracts/auth'
import { listContacts } from '../../server/contracts/contacts'
import { startProcess } from '../support/app'
import { createClient } from '../support/client'
import { OWNER, since, startOwned } from './ownedProcess'

/** ms: it builds the app if need be, and fills a disk call by call. */
const PATIENCE = 600_000
const mayMount = process.platform === 'linux' && process.getuid?.() === 0
let disk: string
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'parley-disk-'))
  if (!mayMount) return
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', disk])
  await chmod(disk, 0o755)
})
afterAll(async () => {
  if (mayMount) execFileSync('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
})

/** Takes what is left of the disk. */
async function fill(): Promise<string> {
  const filler = join(disk, 'filler')
  const { bavail, bsize } = await statfs(disk)
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error
  })
  return filler
}

test.runIf(mayMount)(
  'full disk: calls say so while it lasts, nothing acknowledged is lost, and it goes on when there is room',
  async () => {
    const env = { DATA_DIR: join(disk, 'data') }
    const { app, owner, pgid } = await startOwned(env)
    const path = `/api/projects/${pgid}/contacts`
    let acknowledged = 0
    const text = 'x'.repeat(900)
    const write = async () => {
      const { status, body } = await owner.send('POST', path, {
        fields: { name: `contact ${acknowledged}` },
        custom: { note: text },
      })
      if (status === 200) acknowledged++
      return { status, code: body.code }
    }
    await write()
    const filler = await fill()
    // what the database has reserved is used up first
    let refused: { status: number; code: string | undefined } | null = null
    for (let at = 0; at < 5_000 && !refused; at++) {
      const answers = await Promise.all(Array.from({ length: 16 }, write))
      refused = answers.find(({ status }) => status !== 200) ?? null
    }
    expect([503, 507], JSON.stringify(refused)).toContain(refused?.status)
    for (let at = 0; at < 20; at++)
      for (const { status } of await Promise.all(Array.from({ length: 16 }, write)))
        expect([200, 503, 507]).toContain(status)
    const held = acknowledged

    await rm(filler)
    const freed = performance.now()
    const going = async () => (await owner.send('GET', '/api/user').catch(() => null))?.status === 200
    let again = app
    const byItself = await expect
      .poll(going)
      .toBe(true)
      .then(
        () => true,
        () => false,
      )
    if (!byItself) {
      await app.end('SIGINT')
      again = await startProcess(env)
    }
    const back = since(freed)
    const ada = await createClient(again.url)
    await ada.call(login, { body: OWNER })
    const { total } = await ada.call(listContacts, { params: { pgid } })
    expect(total).toBe(held)
    expect((await ada.send('POST', path, { fields: { name: 'with room' } })).status).toBe(200)
    console.info(
      `full disk: refused with ${refused?.status} ${refused?.code} after ${held} contacts, all there; ` +
        `answers ${back} after there was room, ${byItself ? 'by itself' : 'after a start'}`,
    )
    await again.end('SIGINT')
  },
  PATIENCE,
)
