import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openServerLog } from './serverLog'

const HOUR = 3_600_000

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-log-'))
  path = join(folder, 'postgres.log')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Simulates a start whose server writes a text. @returns what Parley reads of it */
async function start(text: string, largest = 100): Promise<string> {
  const log = await openServerLog(path, largest)
  await appendFile(path, text)
  const read = await log.read()
  await log.release()
  log.close()
  return read
}

test("a start adds to the log, and reads its own server's words alone", async () => {
  expect(await start('the first\n')).toBe('the first\n')
  expect(await start('the second\n')).toBe('the second\n')
  expect(await readFile(path, 'utf8')).toBe('the first\nthe second\n')
})

test('a log that is large becomes an old one, of which three are kept', async () => {
  for (let n = 1; n <= 6; n++) await start(`${n}${'x'.repeat(150)}`)
  expect((await readdir(folder)).sort()).toEqual(['postgres.log', ...[1, 2, 3].map((age) => `postgres.log.${age}`)])
  const begins = async (name: string) => (await readFile(join(folder, name), 'utf8'))[0]
  expect(await Promise.all(['', '.1', '.2', '.3'].map((end) => begins(`postgres.log${end}`)))).toEqual([
    '6',
    '5',
    '4',
    '3',
  ])
  expect((await stat(path)).size).toBe(151)
})

test('where the folder was removed under the server, that is said', async () => {
  const log = await openServerLog(path)
  await rm(folder, { recursive: true })
  expect(await log.read()).toBe('The data folder is gone')
  await log.release()
  log.close()
})

test('a log that grows under a running server is rotated within the hour; one that does not is read as before', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    await start('of the server before\n')
    const log = await openServerLog(path, 100)
    await appendFile(path, 'small\n')
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(await log.read()).toBe('small\n')
    await appendFile(path, 'x'.repeat(100))
    vi.advanceTimersByTime(HOUR)
    await expect.poll(async () => (await stat(path)).size).toBe(0)
    await appendFile(path, 'after')
    await expect.poll(() => log.read()).toBe('after')
    log.close()
    expect(vi.getTimerCount()).toBe(0)
    await log.release()
  } finally {
    vi.useRealTimers()
  }
})

test('the log is for the account alone that runs Parley, and of much that a server says the end is read', async () => {
  const said = `begin${'x'.repeat(70_000)}end`
  expect(await start(said, 1_000_000)).toBe(said.slice(-65_536))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
