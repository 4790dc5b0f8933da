import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InputRequest, Reply } from '../../../../engine/flow/conversation'
import { ask } from '../../../../engine/flow/steps'
import { photo, picture } from '../../../../tests/support/pictures'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { courses, flow, leave, scriptedRegistry, text } from '../../../../tests/support/scripted'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { systemOrigin } from '../../../../tests/support/systemOrigin'
import { type Conversation, SENT_FILE_CAP } from '../../../contracts/chat'
import { createFileStore } from '../../../platform/files/files'
import { beginDeletion } from '../../chatbots/deletion'
import { forgetFiles, forgetUnsent } from '../files/forgetFiles'

const request = (change: Partial<Extract<InputRequest, { input: 'file' }>>): InputRequest => ({
  input: 'file',
  required: true,
  accept: [],
  maxSize: 2_000,
  maxCount: 2,
  ...change,
})
const png = await picture()
const words = new TextEncoder().encode('name,age\nAda,36\n')
const page = new TextEncoder().encode('<!doctype html><script>alert(1)</script>')

let server: TestServer
let now = new Date('2026-11-21T10:00:00Z')
const replies: Reply[] = []
let wanted: InputRequest = request({})

beforeAll(async () => {
  server = await startTestServer({ registry: scriptedRegistry, clock: () => now })
  courses.start = () => leave('next')
  courses.collect = function* () {
    replies.push(yield* ask(wanted))
    yield* text('Thanks')
    replies.push(yield* ask({ input: 'text', long: false, placeholder: '', required: true, maxLength: 100 }))
    return 'next'
  }
  await insertPublishedFlow(server.context.db, flow({ g: ['start', 'collect'] }), 'collects')
})
afterAll(() => server.close())

let count = 0
async function begin(asked: InputRequest, slug = 'collects') {
  wanted = asked
  now = new Date(now.getTime() + 60_000)
  const visitor = await server.guest()
  const base = `/api/chat/${slug}/conversations`
  const started = await visitor.send('POST', base, { client_id: `start-of-${++count}` })
  const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
  const path = `${base}/${conversation.id}`
  const upload = async (name: string, body: Uint8Array, bearer = token) => {
    const response = await fetch(`${server.url}${path}/files?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/octet-stream' },
      body: body as BodyInit,
    })
    const answer = (await response.json()) as { data: { file: { id: string; type: string } } & string; code?: string }
    return { status: response.status, code: answer.code, data: answer.data, file: answer.data.file }
  }
  const send = (reply: unknown) =>
    visitor.send(
      'POST',
      `${path}/messages`,
      { client_id: `message-${++count}`, reply },
      { authorization: `Bearer ${token}` },
    )
  return { upload, send, conversation, path, token }
}
const download = (id: string) => fetch(`${server.url}/files/sent/${id}`)

describe('a visitor’s file', () => {
  it('goes from the visitor into the answer, and is there for who knows its address', async () => {
    const { upload, send } = await begin(request({}))
    const sent = await upload('Cat & dog.png', png)
    expect(sent).toMatchObject({
      status: 200,
      file: { name: 'Cat & dog.png', type: 'image/png', size: expect.any(Number) },
    })
    const csv = await upload('../people.csv', words)
    expect(csv.file).toMatchObject({ name: 'people.csv', type: 'text/csv' })

    const { body } = await send({ type: 'files', fileIds: [csv.file.id, sent.file.id] })
    const { conversation } = body.data as { conversation: Conversation }
    const url = `${server.context.config.publicUrl}/files/sent/${sent.file.id}`
    const files = replies.at(-1)?.type === 'files' ? (replies.at(-1) as Extract<Reply, { type: 'files' }>).files : []
    expect(files[1]).toEqual({ name: 'Cat & dog.png', url, type: 'image/png', size: expect.any(Number) })
    expect(conversation.messages[0]?.content).toEqual({ kind: 'files', files })

    const shown = await download(sent.file.id)
    expect(shown.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''Cat%20%26%20dog.png")
    expect((await shown.arrayBuffer()).byteLength).toBe(files[1]?.size)
  })

  it('says nothing of where it was taken, if it is a picture, and is refused if it is a damaged one', async () => {
    const { upload } = await begin(request({}))
    const given = await photo('jpeg')
    const { file } = await upload('lamp.jpg', given)
    const shown = Buffer.from(await (await download(file.id)).arrayBuffer())
    expect([given.includes('Exif'), shown.includes('Exif')]).toEqual([true, false])
    expect(await upload('lamp.jpg', given.subarray(0, 500))).toMatchObject({
      status: 422,
      data: expect.stringContaining('is damaged or incomplete'),
    })
  })

  it('is saved, not shown, if anything could run in it', async () => {
    const { upload } = await begin(request({}))
    const { file } = await upload('page.html', page)
    const { headers } = await download(file.id)
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  it('is taken by what its bytes are, whatever it is called', async () => {
    const { upload } = await begin(request({ accept: ['image/*', '.pdf'] }))
    for (const [name, body] of [
      ['picture.png', words],
      ['paper.pdf', words],
      ['data.csv', words],
      ['drawing.svg', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ] as const)
      expect(await upload(name, body), name).toMatchObject({
        status: 415,
        data: 'This file is not one of image/*, .pdf.',
      })
    expect((await upload('picture.bin', png)).status).toBe(200)
    const old = await begin(request({ accept: ['.doc'] }))
    const compound = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Array(600).fill(0)])
    expect((await old.upload('letter.doc', compound)).status).toBe(200)
    expect((await (await begin(request({ accept: ['.pdf'] }))).upload('paper.pdf', png)).status).toBe(415)
    expect((await upload('paper.pdf', new TextEncoder().encode('%PDF-1.7\n%âãÏÓ\n'))).status).toBe(200)
  })

  it('is bounded in size and number by the question, and by a cap that no question lifts', async () => {
    const { upload } = await begin(request({ maxSize: 100, maxCount: 1 }))
    expect(await upload('a.bin', new Uint8Array(101))).toMatchObject({ status: 413, code: 'too_large' })
    expect(await upload('a.bin', new Uint8Array(0))).toMatchObject({ status: 422, data: 'This file is empty.' })
    for (let n = 0; n < 3; n++) expect((await upload('a.bin', new Uint8Array(100))).status).toBe(200)
    expect(await upload('a.bin', new Uint8Array(100))).toMatchObject({
      status: 409,
      data: 'At most 1 files can be sent.',
    })
  })

  it('is bounded in number, however many are sent at once', async () => {
    const { upload } = await begin(request({ maxCount: 1 }))
    const sent = await Promise.all(Array.from({ length: 10 }, () => upload('a.bin', png)))
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(3)
  })

  it('is out of reach at once when its chatbot is deleted, while its rows are still going', async () => {
    const { context, connection } = server
    const { projectId, chatbotId } = await insertPublishedFlow(context.db, flow({ g: ['start', 'collect'] }), 'leaves')
    const leaving = await begin(request({}), 'leaves')
    const staying = await begin(request({}))
    const [gone, kept] = [(await leaving.upload('a.png', png)).file, (await staying.upload('a.png', png)).file]
    await leaving.send({ type: 'files', fileIds: [gone.id] })
    expect((await download(gone.id)).status).toBe(200)
    // nobody deletes conversations meanwhile
    const gate = new pg.Client(connection)
    await gate.connect()
    try {
      await gate.query('BEGIN')
      await gate.query('LOCK TABLE conversations IN SHARE MODE')
      await context.db
        .transaction()
        .execute((trx) => beginDeletion(context, trx, projectId, [chatbotId], systemOrigin(projectId)))
      expect((await download(gone.id)).status).toBe(404)
      expect((await download(kept.id)).status).toBe(200)
    } finally {
      await gate.end()
    }
    await context.jobs.runDue()
  })

  it('is forgotten when it was not sent within an hour, or when its conversation is gone', async () => {
    const { db, config } = server.context
    const store = createFileStore(join(config.dataDir, 'files'))
    const [sent, unsent, deleted] = [
      await begin(request({})),
      await begin(request({})),
      await begin(request({ maxCount: 1 })),
    ]
    const kept = (await sent.upload('kept.txt', new TextEncoder().encode('kept'))).file
    const left = (await unsent.upload('left.txt', new TextEncoder().encode('left'))).file
    const gone = (await deleted.upload('gone.txt', new TextEncoder().encode('gone'))).file
    // the same bytes: what one of them leaves, the other keeps
    const twin = (await unsent.upload('twin.txt', new TextEncoder().encode('kept'))).file
    await sent.send({ type: 'files', fileIds: [kept.id] })
    await deleted.send({ type: 'files', fileIds: [gone.id] })
    const { project_id, sha256 } = await db
      .selectFrom('sent_files')
      .selectAll()
      .where('gid', '=', gone.id)
      .executeTakeFirstOrThrow()
    const statuses = () =>
      Promise.all(
        [kept, left, twin, gone].map(async ({ id }) => (await fetch(`${server.url}/files/sent/${id}`)).status),
      )

    const forget = async (clock: () => Date) => {
      await forgetUnsent({ db, clock }, store)
      await forgetFiles({ db, clock }, store)
    }
    await forget(() => now)
    expect(await statuses()).toEqual([200, 200, 200, 200])

    await db.deleteFrom('conversations').where('gid', '=', deleted.conversation.id).execute()
    // the bytes' times are the machine's
    const later = new Date(Math.max(now.getTime(), Date.now()) + 3_600_001)
    await forget(() => later)
    expect(await statuses()).toEqual([200, 404, 404, 404])
    expect(await readdir(join(config.dataDir, 'files', project_id))).not.toContain(sha256)
  })

  it('is refused above a cap that no question lifts, before it is sent', async () => {
    const { path, token } = await begin(request({ maxSize: 1e9 }))
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'image/png',
      'content-length': SENT_FILE_CAP + 1,
    }
    const upload = httpRequest(`${server.url}${path}/files`, { method: 'POST', headers })
    upload.flushHeaders()
    const [answer] = (await once(upload, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(413)
    upload.destroy()
  })

  const mayMount = process.platform === 'linux' && process.getuid?.() === 0
  it.runIf(mayMount)('is a 507 on a full disk, and can be sent again', async () => {
    const { upload } = await begin(request({ maxSize: 1_000_000 }))
    const incoming = join(server.context.config.dataDir, 'files', 'incoming')
    const large = new TextEncoder().encode('a line of text\n'.repeat(20_000))
    await mkdir(incoming, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', incoming])
    try {
      expect(await upload('long.txt', large)).toMatchObject({ status: 507, code: 'storage_full' })
      expect(await readdir(incoming)).toEqual([])
    } finally {
      execFileSync('umount', [incoming])
    }
    expect((await upload('long.txt', large)).status).toBe(200)
  })

  it('is taken only from who holds the conversation, and only while a file is asked for', async () => {
    const [mine, other] = [await begin(request({})), await begin(request({}))]
    expect((await mine.upload('a.bin', png, 'wrong')).status).toBe(404)
    const { file } = await other.upload('a.bin', png)
    expect(await mine.send({ type: 'files', fileIds: [file.id] })).toMatchObject({
      status: 422,
      body: { data: 'A file is missing. Please send it again.' },
    })
    await mine.send({ type: 'skip' })
    expect(await mine.upload('a.bin', png)).toMatchObject({ status: 409, data: 'No file was requested.' })
    expect((await download('a'.repeat(16))).status).toBe(404)
  })

  it('comes at most so often in a minute', async () => {
    const { upload } = await begin(request({ maxCount: 50 }))
    for (let n = 0; n < 60; n++) expect((await upload('a.txt', words)).status).toBe(200)
    expect((await upload('a.txt', words)).status).toBe(429)
  })
})
