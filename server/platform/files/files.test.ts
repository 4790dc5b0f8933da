import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileStore, type FileStore } from './files'

let folder: string
let store: FileStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
  store = createFileStore(folder)
})
afterEach(() => rm(folder, { recursive: true }))

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
async function textOf(area: string, sha256: string) {
  const stream = await store.read(area, sha256)
  return stream && (await buffer(stream)).toString()
}
const TEXT = { type: 'text/plain' }
const later = () => new Date(Date.now() + 60_000)
const none = async () => []

test('what is put is read by its hash, whole or in part, by its project alone, and by nobody else of the machine', async () => {
  const { sha256, bytes } = await store.put('1', chunks('hello', ' world'), TEXT)
  expect([sha256.slice(0, 8), bytes]).toEqual(['b94d27b9', 11])
  expect(await textOf('1', sha256)).toBe('hello world')
  expect((await buffer((await store.read('1', sha256, { start: 6, end: 8 })) as never)).toString()).toBe('wor')
  expect(await store.read('2', sha256)).toBeNull()
  expect((await stat(join(folder, '1', sha256))).mode & 0o777).toBe(0o600)
})

test('an upload that breaks off leaves nothing', async () => {
  async function* broken() {
    yield Buffer.from('begin')
    throw new Error('gone')
  }
  await expect(store.put('1', broken(), TEXT)).rejects.toThrow('gone')
  expect(await readdir(folder, { recursive: true })).toEqual(['incoming'])
})

test('a file is copied to another project, and one that is not there is told', async () => {
  const { sha256 } = await store.put('1', chunks('a'), TEXT)
  expect(await store.copy('1', sha256, '2')).toBe(true)
  await store.removeArea('1')
  expect([await textOf('1', sha256), await textOf('2', sha256)]).toEqual([null, 'a'])
  expect(await store.copy('1', sha256, '3')).toBe(false)
})

test('what nothing names goes to the trash once it is old enough, and comes back when it is read or copied', async () => {
  const [kept, gone, copied] = [
    await store.put('1', chunks('kept'), TEXT),
    await store.put('1', chunks('gone'), TEXT),
    await store.put('1', chunks('copied'), TEXT),
  ]
  const names = () => readdir(join(folder, '1'))
  await store.discardUnused({ before: new Date(0), now: new Date() }, none)
  expect(await names()).toHaveLength(3)
  await store.discardUnused({ before: later(), now: new Date('2026-03-04T05:06:07Z') }, async () => [kept.sha256])
  expect(await names()).toEqual([kept.sha256])
  expect(await readdir(join(folder, 'trash/2026-03-04/1'))).toHaveLength(2)
  expect(await textOf('1', gone.sha256)).toBe('gone')
  expect(await store.copy('1', copied.sha256, '2')).toBe(true)
  expect((await names()).sort()).toEqual([kept, gone, copied].map(({ sha256 }) => sha256).sort())
})

test('what is in the trash comes back though its project’s folder is gone', async () => {
  const { sha256 } = await store.put('1', chunks('gone'), TEXT)
  await store.discardUnused({ before: later(), now: new Date('2026-03-04T05:06:07Z') }, none)
  await rm(join(folder, '1'), { recursive: true })
  expect(await textOf('1', sha256)).toBe('gone')
})

test('the trash is emptied of days before, and what a row names again is taken out of it', async () => {
  const [named, forgotten] = [
    await store.put('1', chunks('named'), TEXT),
    await store.put('1', chunks('forgotten'), TEXT),
  ]
  await store.discardUnused({ before: later(), now: new Date('2026-03-04T00:00:00Z') }, none)
  // of the same day nothing goes
  await store.tidyTrash(new Date('2026-03-04T23:00:00Z'), async () => [named.sha256])
  expect(await readdir(join(folder, 'trash/2026-03-04/1'))).toEqual([forgotten.sha256])
  expect(await textOf('1', named.sha256)).toBe('named')
  await store.tidyTrash(new Date('2026-03-05T00:00:00Z'), none)
  expect(await readdir(join(folder, 'trash'))).toEqual([])
  expect(await textOf('1', forgotten.sha256)).toBeNull()
})

test('files that are named are removed if they did not change since', async () => {
  const { sha256 } = await store.put('1', chunks('a'), TEXT)
  await store.remove('1', [sha256, 'f'.repeat(64)], new Date(0))
  expect(await textOf('1', sha256)).toBe('a')
  await store.remove('1', [sha256, 'f'.repeat(64)], later())
  expect(await textOf('1', sha256)).toBeNull()
})

test('parts of uploads that nobody goes on with are swept', async () => {
  await store.put('1', chunks('a'), TEXT)
  const part = join(folder, 'incoming', 'part')
  await store.sweep(later())
  await writeFile(part, 'x')
  await utimes(part, new Date(1_000), new Date(1_000))
  await store.sweep(new Date(500))
  expect(await readdir(join(folder, 'incoming'))).toEqual(['part'])
  await store.sweep(new Date(2_000))
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

test('parts of a file stay in their order, however large they are', async () => {
  const parts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(1_500_000))
  const { sha256, bytes } = await store.put('1', chunks(...parts), TEXT)
  expect(bytes).toBe(6_000_000)
  const whole = await textOf('1', sha256)
  expect(whole === parts.join('')).toBe(true)
})

test('several files are copied to one project, and an area is removed whether it is there or not', async () => {
  const files = [await store.put('1', chunks('one'), TEXT), await store.put('1', chunks('two'), TEXT)]
  for (const { sha256 } of files) expect(await store.copy('1', sha256, '2')).toBe(true)
  expect(await Promise.all(files.map(({ sha256 }) => textOf('2', sha256)))).toEqual(['one', 'two'])
  for (const area of ['2', '2', 'never']) await store.removeArea(area)
  expect((await readdir(folder)).toSorted()).toEqual(['1', 'incoming'])
})
