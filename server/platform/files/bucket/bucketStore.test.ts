import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBucketServer } from '../../../../tests/support/bucketServer'
import { createFileStore } from '../files'
import { moveFiles } from '../moveFiles'
import { placeOfFiles } from '../openFiles'
import { type Bucket, createBucket } from './createBucket'
import { createBucketStore } from './createBucketStore'

/** Against a server that speaks S3's protocol and checks signatures. */
let service: Awaited<ReturnType<typeof startBucketServer>>
let folder: string
beforeAll(async () => {
  service = await startBucketServer()
  folder = await mkdtemp(join(tmpdir(), 'parley-incoming-'))
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const TEXT = { type: 'text/plain' }
const DAY = 86_400_000
const tomorrow = () => new Date(Date.now() + DAY)
const none = async () => []
/** A bucket for a test alone: a prefix of its own. */
function opened(prefix: string) {
  const bucket = createBucket({ ...service.settings, prefix: `${prefix}/` })
  return { bucket, store: createBucketStore(bucket, join(folder, prefix), { free: 0 }) }
}
async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
const keys = async (bucket: Bucket, prefix = '') => {
  const found: string[] = []
  for await (const { key } of bucket.list(prefix)) found.push(key)
  return found
}
const textOf = async (stream: NodeJS.ReadableStream | null) => stream && (await buffer(stream)).toString()

test('what is put is read by its hash, whole or in part, by its project alone; nothing stays on this machine', async () => {
  const { store } = opened('reads')
  const { sha256, bytes } = await store.put('1', chunks('hello', ' world'), TEXT)
  expect([sha256.slice(0, 8), bytes]).toEqual(['b94d27b9', 11])
  expect(await textOf(await store.read('1', sha256))).toBe('hello world')
  expect(await textOf(await store.read('1', sha256, { start: 6, end: 8 }))).toBe('wor')
  expect(await store.read('2', sha256)).toBeNull()
  expect(await readdir(join(folder, 'reads'))).toEqual([])
})

test('an upload that breaks off is not in the bucket', async () => {
  const { store, bucket } = opened('broken')
  async function* broken() {
    yield Buffer.from('begin')
    throw new Error('gone')
  }
  await expect(store.put('1', broken(), TEXT)).rejects.toThrow('gone')
  expect(await keys(bucket)).toEqual([])
})

test('a file is copied to another project, and a project goes with its files alone', async () => {
  const { store, bucket } = opened('copies')
  const { sha256 } = await store.put('1', chunks('a'), TEXT)
  await store.put('11', chunks('b'), TEXT)
  expect([await store.copy('1', sha256, '2'), await store.copy('3', sha256, '2')]).toEqual([true, false])
  await store.removeArea('1')
  expect((await keys(bucket)).map((key) => key.split('/')[1])).toEqual(['11', '2'])
})

test('what nothing names goes to the trash once it is old enough, and comes back when it is read, shown or copied', async () => {
  const { store, bucket } = opened('trash')
  const names = ['kept', 'read', 'copied', 'shown']
  const put = await Promise.all(names.map((text) => store.put('1', chunks(text), TEXT)))
  const [kept, read, copied, shown] = put.map(({ sha256 }) => sha256) as [string, string, string, string]
  await store.discardUnused({ before: new Date(0), now: new Date() }, none)
  expect(await keys(bucket, 'files/')).toHaveLength(4)
  const discard = () => store.discardUnused({ before: tomorrow(), now: new Date() }, async () => [kept])
  await discard()
  expect([await keys(bucket, 'files/'), (await keys(bucket, 'trash/')).length]).toEqual([[`files/1/${kept}`], 3])
  expect(await textOf(await store.read('1', read))).toBe('read')
  expect(await store.copy('1', copied, '2')).toBe(true)
  const browsers = createBucketStore(
    createBucket({ ...service.settings, prefix: 'trash/', browserUrl: service.settings.endpoint }),
    ...([join(folder, 'trash'), { free: 0 }] as const),
  )
  const link = (await browsers.link('1', shown, { type: 'text/html', disposition: 'attachment' })) ?? ''
  expect(await (await fetch(link)).text()).toBe('shown')
  expect(await keys(bucket, 'trash/')).toEqual([])

  await discard()
  await store.tidyTrash(new Date(0), async () => [read])
  expect([await keys(bucket, 'files/1/'), (await keys(bucket, 'trash/')).length]).toEqual([
    [kept, read].toSorted().map((name) => `files/1/${name}`),
    3,
  ])
  await store.tidyTrash(tomorrow(), none)
  expect(await keys(bucket, 'trash/')).toEqual([])
})

test('files are removed for good unless they were added since', async () => {
  const { store, bucket } = opened('removes')
  const { sha256 } = await store.put('1', chunks('a'), TEXT)
  await store.remove('1', [sha256, 'f'.repeat(64)], new Date(0))
  expect(await keys(bucket)).toHaveLength(1)
  await store.remove('1', [sha256], tomorrow())
  expect(await keys(bucket)).toEqual([])
})

test('browsers are sent to an address that ends, with the headers of this server; another object or header is refused', async () => {
  const { store } = opened('links')
  expect(await store.link('1', 'f'.repeat(64), { type: 'image/png', disposition: 'inline' })).toBeNull()
  const { sha256 } = await store.put('1', chunks('<svg onload=alert(1)>'), TEXT)
  const bucket = createBucket({ ...service.settings, prefix: 'links/', browserUrl: service.settings.endpoint })
  const browsers = createBucketStore(bucket, folder, { free: 0 })
  const link =
    (await browsers.link('1', sha256, { type: 'image/png', disposition: "inline; filename*=UTF-8''a%20b.png" })) ?? ''
  const shown = await fetch(link, { headers: { range: 'bytes=1-3' } })
  expect([shown.status, await shown.text()]).toEqual([206, 'svg'])
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': "inline; filename*=UTF-8''a%20b.png",
  })
  expect(new URL(link).searchParams.get('X-Amz-Expires')).toBe('300')
  expect((await fetch(link.replace('image%2Fpng', 'text%2Fhtml'))).status).toBe(403)
  expect((await fetch(link.replace(sha256, 'f'.repeat(64)))).status).toBe(403)
  expect(await browsers.link('1', 'f'.repeat(64), { type: 'image/png', disposition: 'inline' })).toBeNull()
})

test('a list of several pages is read to its last one', async () => {
  const asked: string[] = []
  const pages = createServer((incoming, answer) => {
    const token = new URL(incoming.url ?? '', 'http://any').searchParams.get('continuation-token')
    asked.push(token ?? '')
    const one = (name: string) =>
      `<Contents><Key>files/1/${name}</Key><LastModified>2026-11-30T10:00:00.000Z</LastModified><Size>7</Size></Contents>`
    const more = token
      ? ''
      : '<IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=&amp;d</NextContinuationToken>'
    answer.end(`<ListBucketResult>${token ? one('c') : one('a') + one('b')}${more}</ListBucketResult>`)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const bucket = createBucket({ ...service.settings, endpoint, prefix: '' })
  expect(await keys(bucket, 'files/')).toEqual(['files/1/a', 'files/1/b', 'files/1/c'])
  expect(asked).toEqual(['', 'a+b/c=&d'])
  pages.closeAllConnections()
  pages.close()
})

test('a file that is too large for one call is put together of parts', async () => {
  const { bucket } = opened('large')
  const path = join(folder, 'large')
  await writeFile(path, '')
  await truncate(path, 64 * 1024 * 1024)
  await appendFile(path, 'the end')
  await bucket.putLargeFile('large', path)
  const listed = []
  for await (const { bytes } of bucket.list('large')) listed.push(bytes)
  expect(listed).toEqual([64 * 1024 * 1024 + 7])
  expect(await textOf(await bucket.read('large', { start: 64 * 1024 * 1024, end: 64 * 1024 * 1024 + 6 }))).toBe(
    'the end',
  )
})

test('wrong keys, and a service that is gone, are trouble that may pass; the log says what was answered', async () => {
  const wrong = createBucket({ ...service.settings, secretAccessKey: 'wrong' })
  await expect(wrong.read('a')).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: expect.stringContaining('answered GET with 403') },
  })
  const gone = createBucket({ ...service.settings, endpoint: 'http://127.0.0.1:9' })
  await expect(gone.read('a')).rejects.toMatchObject({ code: 'unavailable', status: 503 })
})

test('files are moved from the folder to the bucket and back, once each, and a damaged one is told', async () => {
  const { store, bucket } = opened('moves')
  const root = await mkdtemp(join(tmpdir(), 'parley-moves-'))
  const before = createFileStore(root)
  const one = await before.put('1', chunks('one'), TEXT)
  await before.put('2', chunks('two'), TEXT)
  const seen: number[] = []
  expect(await moveFiles(before, store, ({ files }) => seen.push(files))).toEqual({ files: 2, bytes: 6, before: 0 })
  await before.put('2', chunks('three'), TEXT)
  expect(await moveFiles(before, store, () => {})).toEqual({ files: 1, bytes: 5, before: 2 })
  expect(seen).toEqual([1, 2])
  expect(await textOf(await store.read('1', one.sha256))).toBe('one')

  const back = createFileStore(join(root, 'back'))
  await moveFiles(store, back, () => {})
  expect(await textOf(await back.read('1', one.sha256))).toBe('one')
  await bucket.putText(`files/3/${one.sha256}`, 'another text')
  await expect(moveFiles(store, back, () => {})).rejects.toThrow(`The file 3/${one.sha256} is damaged`)
  await rm(root, { recursive: true })
})

test('a bucket is bound to one installation', async () => {
  const place = placeOfFiles({ dataDir: folder, bucket: { ...service.settings, prefix: 'bound/' } })
  expect([await place.read(), await place.holdsFiles()]).toEqual([null, false])
  expect([await place.write('ours', false), await place.read()]).toEqual([true, 'ours'])
  await opened('bound').store.put('1', chunks('a'), TEXT)
  expect(await place.holdsFiles()).toBe(true)
  expect(await opened('bound').store.installation()).toBe('ours')
})
