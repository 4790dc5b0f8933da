import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { padded, picture } from '../../../tests/support/pictures'
import type { ApiError } from '../errors'
import { createFileStore } from './files'
import { scanFile } from './scanFile'

let folder: string
let scanner: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-scan-'))
  scanner = join(folder, 'scanner')
  path = join(folder, 'file; touch owned')
  // finds what says "virus", breaks at "broken", and never ends at "slow"
  await writeFile(
    scanner,
    `#!/bin/sh
text=$(cat "\${1:-/dev/stdin}" | tr -d '\\0')
env > "${folder}/seen"
case "$text" in
  *virus*) echo "stream: Test FOUND"; exit 1 ;;
  *broken*) echo "no database" >&2; exit 2 ;;
  *slow*) sleep 600 & echo $! > "${folder}/child"; wait ;;
esac
`,
  )
  await chmod(scanner, 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

async function scan(content: string, command: string[], patience = 10_000) {
  await writeFile(path, content)
  return scanFile({ command, patience }, path).then(
    () => 'clean',
    (error: ApiError) => [error.code, (error.cause as Error).message],
  )
}

test.each([
  ['by its path', ['{}']],
  ['from its standard input', []],
])('a file is read %s: clean, found, or not looked at', async (_, words) => {
  const command = [scanner, ...words]
  expect(await scan('a letter', command)).toBe('clean')
  expect(await scan('a virus', command)).toEqual([
    'unsafe_file',
    'The command of SCAN_COMMAND ended with 1: stream: Test FOUND',
  ])
  expect(await scan('broken', command)).toEqual([
    'scan_failed',
    'The command of SCAN_COMMAND ended with 2: no database',
  ])
})

test('no shell reads the name of a file, and the program gets none of our keys', async () => {
  process.env.SECRET_KEYS = 'a key of ours'
  expect(await scan('a letter', [scanner, '{}'])).toBe('clean')
  expect(await readFile(join(folder, 'seen'), 'utf8')).not.toContain('a key of ours')
  expect(await readdir(folder)).not.toContain('owned')
  delete process.env.SECRET_KEYS
})

test('a program that takes too long is ended with what it started, and one that is not there is told', async () => {
  expect(await scan('slow', [scanner, '{}'], 300)).toEqual([
    'scan_failed',
    'The command of SCAN_COMMAND ended with nothing in 300 ms: ',
  ])
  const child = Number(await readFile(join(folder, 'child'), 'utf8'))
  const state = () => readFile(`/proc/${child}/stat`, 'utf8').catch(() => 'gone')
  await expect.poll(state).toMatch(/gone|\) Z /)
  expect(await scan('a letter', [join(folder, 'nothing')])).toMatchObject([
    'scan_failed',
    expect.stringContaining('ENOENT'),
  ])
})

test('what is found is not stored, nor is what could not be looked at, and nothing stays where it arrived', async () => {
  const root = join(folder, 'store')
  const store = createFileStore(root, { free: 0, scan: { command: [scanner], patience: 10_000 } })
  const put = async (bytes: Buffer, type = 'text/plain') =>
    store.put(
      '1',
      (async function* () {
        yield bytes
      })(),
      { type },
    )
  await put(Buffer.from('a letter'))
  await expect(put(Buffer.from('a virus'))).rejects.toMatchObject({ code: 'unsafe_file', status: 422 })
  await expect(put(Buffer.from('broken'))).rejects.toMatchObject({ code: 'scan_failed', status: 503 })
  // behind a picture's end, which its store would leave out: looked at as it came
  const hidden = Buffer.concat([padded(await picture(), 0), Buffer.from('virus')])
  await expect(put(hidden, 'image/png')).rejects.toMatchObject({ code: 'unsafe_file' })
  expect([await readdir(join(root, '1')), await readdir(join(root, 'incoming'))]).toEqual([[expect.any(String)], []])
})
