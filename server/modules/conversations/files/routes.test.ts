import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Medium, mediaCaps } from '../../../../engine/values/mediaFile'
import { addMember } from '../../../../tests/support/collab'
import { padded, picture } from '../../../../tests/support/pictures'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { createChatbot, listChatbots } from '../../../contracts/chatbots'
import { fileSchema } from '../../../contracts/files'
import { exportFlow, importFlow } from '../../../contracts/flows'
import { createProject, deleteProject, duplicateProject } from '../../../contracts/projects'
import { apiErrors } from '../../../platform/errors'
import { createFileStore } from '../../../platform/files/files'
import { templateFiles } from '../../templates/templateFiles'
import { forgetFiles } from './forgetFiles'

const IMAGE_CAP = mediaCaps.image
const PNG = { type: 'image/png' }

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

const bytesOf = (signature: string, length = 64) =>
  Buffer.alloc(length, 1).fill(signature, 0, signature.length, 'latin1')
/** An image of its own each time. */
let count = 0
const png = async (length = 64) => padded(await picture('png', { colour: ++count }), length)

const options = (person: Registered) => ({
  method: 'POST',
  headers: {
    cookie: [...person.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
    'x-xsrf-token': person.cookies.get('XSRF-TOKEN') ?? '',
    'content-type': 'application/octet-stream',
  },
})

function post(person: Registered, body: Buffer, { name = 'a.png', pgid = person.pgid, medium = 'image' } = {}) {
  return fetch(`${server.url}/api/projects/${pgid}/files?${new URLSearchParams({ name, medium })}`, {
    ...options(person),
    body: new Uint8Array(body),
  })
}
async function upload(...input: Parameters<typeof post>) {
  const answer = await (await post(...input)).json()
  return fileSchema.parse(answer.data.file)
}
async function refusal(...input: Parameters<typeof post>) {
  const response = await post(...input)
  const { code, data } = await response.json()
  return { status: response.status, code, data }
}
const get = (path: string, headers?: Record<string, string>) => fetch(`${server.url}${path}`, { headers })
const folder = () => join(server.context.config.dataDir, 'files')
const left = () => readdir(join(folder(), 'incoming')).catch(() => [])

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
  '%s is taken in, and anybody sees it as what it is',
  async (format) => {
    const type = `image/${format}`
    const image = padded(await picture(format), 5000)
    const file = await upload(ada, image, { name: 'Straße (1).bin' })
    expect(file).toEqual({
      gid: file.gid,
      url: `/files/${file.gid}`,
      media_type: type,
      bytes: file.bytes,
      name: 'Straße (1).bin',
    })
    const seen = await get(file.url)
    expect(seen.status).toBe(200)
    const shown = Buffer.from(await seen.arrayBuffer())
    expect(shown.length).toBe(file.bytes)
    expect(await sharp(shown).metadata()).toMatchObject({ mediaType: type, width: 16, height: 16 })
    expect(Object.fromEntries(seen.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(file.bytes),
      'content-disposition': "inline; filename*=UTF-8''Stra%C3%9Fe%20%281%29.bin",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const again = await get(file.url, { 'if-none-match': seen.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await fetch(`${server.url}${file.url}`, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(file.bytes),
    )
  },
)

test.each([
  ['<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'an SVG drawing'],
  ['\n<!DOCTYPE html><html><script>alert(1)</script>', 'a web page (HTML)'],
  ['%PDF-1.7', 'a PDF'],
  ['BM\x10\0\0\0', 'a BMP image'],
  ['\0\0\0\x18ftypheic', 'a HEIC image'],
  ['\0\0\0\x18ftypisom', 'a video'],
  ['PK\x03\x04', 'an archive (ZIP)'],
  ['RIFF\x10\0\0\0WAVEfmt ', 'a sound'],
  ['Hello', 'of another type'],
])('what is no image is refused by what it is, whatever it is called: %j', async (content, found) => {
  expect(await refusal(ada, Buffer.from(content, 'latin1'), { name: 'cat.png' })).toEqual({
    status: 415,
    code: 'unsupported_type',
    data: `This file is ${found}. An image can be a PNG, JPEG, GIF, WebP or AVIF.`,
  })
  expect(await left()).toEqual([])
})

const clips: [Medium, string, string][] = [
  ['video', 'video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41'],
  ['video', 'video/mp4', '\0\0\0\x18ftypmp42\0\0\0\0isommp42'],
  // a list of brands that is longer than 255 bytes
  ['video', 'video/mp4', `\0\0\x01\x20ftyp${'zzzz'.repeat(69)}mp42`],
  ['video', 'video/webm', '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\x82\x84webm'],
  ['video', 'video/ogg', `OggS\0\x02${'\0'.repeat(20)}\x01*\x80theora`],
  ['audio', 'audio/ogg', `OggS\0\x02${'\0'.repeat(20)}\x01\x1eOpusHead`],
  ['audio', 'audio/mpeg', 'ID3\x04\0'],
  ['audio', 'audio/mpeg', '\xff\xfb\x90\x64'],
  ['audio', 'audio/wav', 'RIFF\x10\0\0\0WAVEfmt '],
  ['audio', 'audio/mp4', '\0\0\0\x1cftypM4A \0\0\x02\0M4A isomiso2'],
]
test.each(clips)('a file of %s is taken in as %s by its bytes', async (medium, type, signature) => {
  const file = await upload(ada, bytesOf(signature, 900), { name: 'x.html', medium })
  expect(file).toMatchObject({ media_type: type, bytes: 900 })
  const headers = Object.fromEntries((await get(file.url)).headers)
  expect(headers).toMatchObject({ 'content-type': type, 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' })
})

test.each([
  ['video', '<!doctype html><script>1</script>', 'a web page (HTML)'],
  ['video', '\x89PNG\r\n\x1a\n', 'an image'],
  ['video', '\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'a QuickTime video'],
  // what follows the list of brands is none of them
  ['image', '\0\0\0\x14ftypqt  \0\0\0\0qt  avifavif', 'a QuickTime video'],
  ['video', '\0\0\0\x1cftypM4A \0\0\x02\0M4A isomiso2', 'a sound'],
  ['video', '\0\0\0\x1cftypavif\0\0\0\0avifmif1mp42', 'an image'],
  ['video', '\x1aE\xdf\xa3\x9fB\x82\x88matroska', 'a Matroska video'],
  ['video', 'RIFF\x10\0\0\0AVI LIST', 'an AVI video'],
  ['audio', `OggS\0\x02${'\0'.repeat(20)}\x01*\x80theora`, 'a video'],
  ['video', `OggS\0\x02${'\0'.repeat(20)}\x01\x1eOpusHead`, 'a sound'],
  ['video', `\0\0\0\0OVP80`, 'of another type'],
  ['video', '\0\0\0\0webm', 'of another type'],
  ['audio', 'fLaC\0', 'a FLAC sound'],
  ['audio', '', 'empty'],
])('no %s: %j is refused as %s', async (medium, content, found) => {
  const { status, data } = await refusal(ada, Buffer.from(content, 'latin1'), { medium })
  expect(status).toBe(415)
  expect(data).toContain(`This file is ${found}.`)
})

test('a video may have 25 MB, and not a byte more', async () => {
  const video = (length: number) => bytesOf('\0\0\0\x18ftypmp42\0\0\0\0isommp42', length)
  expect((await upload(ada, video(mediaCaps.video), { medium: 'video' })).bytes).toBe(mediaCaps.video)
  const { status, code } = await refusal(ada, video(mediaCaps.video + 1), { medium: 'video' })
  expect([status, code]).toEqual([413, 'too_large'])
  expect((await refusal(ada, await png(IMAGE_CAP + 1))).data).toBe(
    'This image is larger than 10 MB. Choose a smaller one.',
  )
})

test('players seek: a part is answered with just that part', async () => {
  const sound = bytesOf('RIFF\x10\0\0\0WAVEfmt ', 1000)
  for (let n = 16; n < 1000; n++) sound[n] = n % 251
  const { url } = await upload(ada, sound, { medium: 'audio' })
  const etag = (await get(url)).headers.get('etag') ?? ''
  const part = async (range: string, more: Record<string, string> = {}) => {
    const response = await get(url, { range, ...more })
    const bytes = Buffer.from(await response.arrayBuffer())
    return [response.status, response.headers.get('content-range'), bytes.length, bytes] as const
  }
  expect(await part('bytes=0-0')).toEqual([206, 'bytes 0-0/1000', 1, sound.subarray(0, 1)])
  expect(await part('bytes=500-')).toEqual([206, 'bytes 500-999/1000', 500, sound.subarray(500)])
  expect(await part('bytes=990-5000')).toEqual([206, 'bytes 990-999/1000', 10, sound.subarray(990)])
  expect(await part('bytes=-10')).toEqual([206, 'bytes 990-999/1000', 10, sound.subarray(990)])
  expect(await part('bytes=-5000')).toEqual([206, 'bytes 0-999/1000', 1000, sound])
  expect((await part('bytes=1000-')).slice(0, 2)).toEqual([416, 'bytes */1000'])
  expect((await part('bytes=-0'))[0]).toBe(416)
  expect((await part('bytes=10-20', { 'if-range': etag }))[0]).toBe(206)
  for (const whole of ['bytes=9-3', 'bytes=0-1,5-9', 'bytes=-', 'items=0-1', 'bytes=a-b'])
    expect((await part(whole))[0]).toBe(200)
  expect((await part('bytes=10-20', { 'if-range': '"another"' }))[0]).toBe(200)
  expect((await part('bytes=0-', { 'if-none-match': etag }))[0]).toBe(304)
})

test('an image may have 10 MB, and not a byte more', async () => {
  expect((await upload(ada, await png(IMAGE_CAP))).bytes).toBeLessThan(1000)
  expect(await refusal(ada, await png(IMAGE_CAP + 1))).toEqual({
    status: 413,
    code: 'too_large',
    data: 'This image is larger than 10 MB. Choose a smaller one.',
  })
})

test('a stream without a declared length is cut at 10 MB, and one that breaks off leaves nothing', async () => {
  const stored = await readdir(folder(), { recursive: true })
  const send = () => request(`${server.url}/api/projects/${ada.pgid}/files`, options(ada))
  const long = send()
  const status = new Promise((resolve) => long.on('response', (response) => resolve(response.resume().statusCode)))
  long.write(await png(IMAGE_CAP))
  long.end(await png(4 * IMAGE_CAP))
  expect(await status).toBe(413)
  // what is still on its way is read to the end: a browser that can't finish sending never sees the answer
  await finished(long)

  const cut = send()
  cut.on('error', () => undefined)
  cut.write(await png(5000))
  await expect.poll(left).toHaveLength(1)
  cut.destroy()
  await expect.poll(left).toEqual([])
  expect(await readdir(folder(), { recursive: true })).toEqual(stored)
})

test('an upload that is declared too large is refused before it is sent', async () => {
  const { headers } = options(ada)
  const upload = request(`${server.url}/api/projects/${ada.pgid}/files`, {
    method: 'POST',
    headers: { ...headers, 'content-length': IMAGE_CAP + 1 },
  })
  upload.flushHeaders()
  const [response] = await once(upload, 'response')
  expect(response.statusCode).toBe(413)
  upload.on('error', () => undefined).destroy()
})

test("a project's copy has its files for itself; a deleted project's are gone from the disk", async () => {
  const { project } = await ada.call(createProject, { body: { name: 'Pictures' } })
  const file = await upload(ada, await png(), { pgid: project.gid })
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: project.gid }, body: { name: 'Shows' } })
  const at = { pgid: project.gid, cgid: chatbot.gid, fid: chatbot.fid }
  const flow = await ada.call(exportFlow, { params: at })
  const data = {
    url: { type: 'static', value: file.url },
    alt: { type: 'static', value: '' },
    link: { type: 'static', value: '' },
  }
  flow.groups[0]?.blocks.push({ id: 'picture', kind: 'image', version: 0, data })
  await ada.call(importFlow, { params: at, body: { source: JSON.stringify(flow), mode: 'replace' } })

  const copy = (await ada.call(duplicateProject, { params: { pgid: project.gid } })).project
  const [shows] = (await ada.call(listChatbots, { params: { pgid: copy.gid } })).chatbots
  const copied = await ada.call(exportFlow, {
    params: { pgid: copy.gid, cgid: shows?.gid ?? '', fid: shows?.fid ?? '' },
  })
  const address = /\/files\/\w{16}/.exec(JSON.stringify(copied))?.[0] ?? ''
  expect(address).not.toBe(file.url)

  const areas = await readdir(folder())
  await ada.call(deleteProject, { params: { pgid: project.gid }, body: { name: 'Pictures' } })
  await server.context.jobs.runDue()
  expect((await get(file.url)).status).toBe(404)
  expect((await get(address)).status).toBe(200)
  expect(await readdir(folder())).toHaveLength(areas.length - 1)
})

test('an empty upload, and a name that is too long, are refused', async () => {
  expect(await refusal(ada, Buffer.alloc(0))).toMatchObject({ status: 415, data: expect.stringContaining('is empty') })
  expect(await upload(ada, await png(), { name: 'x'.repeat(255) })).toMatchObject({ name: 'x'.repeat(255) })
  expect(await refusal(ada, await png(), { name: 'x'.repeat(256) })).toMatchObject({
    status: 422,
    data: { fields: { name: 'Must not exceed 255 characters' } },
  })
})

test('the same image is stored once in a project, also when it comes twice at once; another project has its own', async () => {
  const image = await png(100_000)
  const files = await Promise.all([1, 2, 3].map((n) => upload(ada, image, { name: `${n}.png` })))
  expect(new Set(files.map(({ gid }) => gid)).size).toBe(1)
  const eve = await server.register()
  const hers = await upload(eve, image)
  expect(hers.gid).not.toBe(files[0]?.gid)
  expect((await get(hers.url)).status).toBe(200)
})

test('who is no member may not upload, nor may a viewer; nothing is stored', async () => {
  const stored = await readdir(folder(), { recursive: true })
  const eve = await server.register()
  expect((await post(eve, await png(), { pgid: ada.pgid })).status).toBe(404)
  await addMember(server, ada.pgid, eve, [Role.VIEWER])
  expect((await post(eve, await png(), { pgid: ada.pgid })).status).toBe(403)
  expect(await readdir(folder(), { recursive: true })).toEqual(stored)
})

test('an address without a file is not found: of another form, unknown, or lost on the disk', async () => {
  for (const id of ['x'.repeat(16), 'short', '..%2F..%2Fetc%2Fpasswd', '']) {
    expect((await get(`/files/${id}`)).status, id).toBe(404)
  }
  const file = await upload(ada, await png(77))
  const row = await server.context.db
    .selectFrom('files')
    .selectAll()
    .where('gid', '=', file.gid)
    .executeTakeFirstOrThrow()
  await rm(join(folder(), row.project_id, row.sha256))
  const lost = await get(file.url)
  expect([lost.status, lost.headers.get('cache-control')]).toEqual([404, null])
})

test('what an upload left behind that was cut off by a crash goes at the next start, one under way does not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-sweep-'))
  const incoming = join(root, 'incoming')
  await mkdir(incoming)
  for (const name of ['old', 'new']) await writeFile(join(incoming, name), 'x')
  await utimes(join(incoming, 'old'), new Date(1000), new Date(1000))
  await createFileStore(root).sweep(new Date(2000))
  expect(await readdir(incoming)).toEqual(['new'])
  await rm(root, { recursive: true })
})

test('what nothing names goes once it is old; what another area just got of it stays', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-unused-'))
  const store = createFileStore(root)
  const bytes = async function* () {
    yield await png()
  }
  const { sha256 } = await store.put('1', bytes(), PNG)
  const now = new Date()
  const inAnHour = new Date(Date.now() + 3_600_000)
  await store.discardUnused({ before: new Date(0), now }, async () => [])
  expect(await store.copy('1', sha256, '2')).toBe(true)
  await store.discardUnused({ before: inAnHour, now }, async (area, names) => (area === '2' ? names : []))
  expect(await readdir(root, { recursive: true })).toEqual(expect.arrayContaining([join('2', sha256)]))
  expect(await readdir(join(root, '1'))).toEqual([])
  await rm(root, { recursive: true })
})

/** A store with one file of area 1, and how its files are swept and its trash tidied on a day. */
async function withTrash() {
  const root = await mkdtemp(join(tmpdir(), 'parley-trash-'))
  const store = createFileStore(root)
  const { sha256 } = await store.put(
    '1',
    (async function* () {
      yield await png()
    })(),
    PNG,
  )
  const swept = new Date(Date.now() + DAY)
  await store.discardUnused({ before: swept, now: swept }, async () => [])
  const inTrash = join('trash', swept.toISOString().slice(0, 10), '1', sha256)
  const all = () => readdir(root, { recursive: true })
  return { root, store, sha256, inTrash, all, after: (days: number) => new Date(swept.getTime() + days * DAY) }
}
const DAY = 86_400_000

test('what is swept lies in the trash for 30 days, and is gone then', async () => {
  const { root, store, inTrash, all, after } = await withTrash()
  expect(await all()).toContain(inTrash)
  await store.tidyTrash(after(0), async () => [])
  expect(await all()).toContain(inTrash)
  await store.tidyTrash(after(1), async () => [])
  expect(await all()).not.toContain(inTrash)
  expect(await readdir(join(root, 'trash'))).toEqual([])
  await rm(root, { recursive: true })
})

test('what is named again comes out of the trash: when it is read or copied, and by the next sweep', async () => {
  const { root, store, sha256, inTrash, all } = await withTrash()
  expect(await store.copy('1', sha256, '2')).toBe(true)
  expect(await all()).not.toContain(inTrash)
  const again = new Date(Date.now() + DAY)
  const discard = () => store.discardUnused({ before: again, now: again }, async () => [])
  await discard()
  const stream = await store.read('1', sha256)
  expect((await stream?.toArray())?.length).toBeGreaterThan(0)
  await discard()
  await store.tidyTrash(again, async (_, names) => names)
  expect((await all()).sort()).toEqual(['1', '2', join('1', sha256), join('2', sha256), 'incoming', 'trash'].sort())
  await rm(root, { recursive: true })
})

test('what is named again comes out of the trash of any day, and what lies in none is not found', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-trash-'))
  const store = createFileStore(root)
  const put = async (nonce: number) => store.put('1', Readable.from([await png(64 + nonce)]), PNG)
  const stored: string[] = []
  for (const days of [1, 2, 3]) {
    stored.push((await put(days)).sha256)
    const swept = new Date(Date.now() + days * DAY)
    await store.discardUnused({ before: swept, now: swept }, async () => [])
  }
  expect(await readdir(join(root, 'trash'))).toHaveLength(3)
  for (const sha256 of stored) {
    const stream = await store.read('1', sha256)
    expect((await stream?.toArray())?.length, sha256).toBeGreaterThan(0)
  }
  expect(await store.read('1', 'f'.repeat(64))).toBeNull()
  await rm(root, { recursive: true })
})

test('files that are bound to another installation are not swept', async () => {
  const { context } = server
  const file = await upload(ada, await png(78))
  const store = createFileStore(folder())
  const late = { ...context, clock: () => new Date(Date.now() + 2 * DAY) }
  await context.db.deleteFrom('files').where('gid', '=', file.gid).execute()
  const names = async () => (await readdir(folder(), { recursive: true })).filter((name) => !name.startsWith('trash'))
  const before = await names()
  await context.db.updateTable('installation').set({ bus_name: 'another' }).execute()
  await expect(forgetFiles(late, store)).rejects.toThrow('nothing is swept')
  expect(await names()).toEqual(before)
  await context.db
    .updateTable('installation')
    .set({ bus_name: (await store.installation()) ?? '' })
    .execute()
  await forgetFiles(late, store)
  expect((await names()).length).toBeLessThan(before.length)
  const inTrash = async () => (await readdir(join(folder(), 'trash'), { recursive: true })).length
  const sweepAfter = (days: number) =>
    forgetFiles({ ...context, clock: () => new Date(Date.now() + days * DAY) }, store)
  await sweepAfter(31)
  expect(await inTrash()).toBeGreaterThan(0)
  await sweepAfter(34)
  expect(await inTrash()).toBe(0)
})

const mayMount = process.platform === 'linux' && process.getuid?.() === 0
/** Uploads land on a disk of 64 kB meanwhile. */
async function onFullDisk(test: () => Promise<void>) {
  const incoming = join(folder(), 'incoming')
  await mkdir(incoming, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', incoming])
  try {
    await test()
    expect(await left()).toEqual([])
  } finally {
    execFileSync('umount', [incoming])
  }
}

test.runIf(mayMount)(
  'an upload to a full disk is a 507 that says when to come back, and the next one is taken',
  async () => {
    await onFullDisk(async () => {
      const answer = await post(ada, await png(300_000))
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([507, '60'])
      expect(await answer.json()).toEqual({ success: false, code: 'storage_full', data: apiErrors.storage_full.text })
    })
    expect((await post(ada, await png(300_000))).status).toBe(200)
  },
)

test.runIf(mayMount)('a full disk is said, and nothing is left on it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root])
  try {
    const store = createFileStore(root)
    async function* image() {
      for (let n = 0; n < 8; n++) yield await png(16 * 1024)
    }
    await expect(store.put('1', image(), { type: 'video/mp4' })).rejects.toMatchObject({
      code: 'storage_full',
      status: 507,
    })
    expect(await readdir(root, { recursive: true })).toEqual(['incoming'])
    expect(
      await store.put(
        '1',
        (async function* () {
          yield await png()
        })(),
        PNG,
      ),
    ).toMatchObject({ bytes: expect.any(Number) })
  } finally {
    execFileSync('umount', [root])
    await rm(root, { recursive: true })
  }
})

test('what templates show is there in every installation, in parts too', async () => {
  const [[id, file] = []] = templateFiles
  if (!id || !file) throw new Error('Templates have no files')
  const whole = await fetch(`${server.url}/files/${id}`)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, file.media_type])
  expect(Buffer.from(await whole.arrayBuffer()).equals(file.bytes)).toBe(true)
  const part = await fetch(`${server.url}/files/${id}`, { headers: { range: 'bytes=2-5' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${file.bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(file.bytes.subarray(2, 6))).toBe(true)
})
