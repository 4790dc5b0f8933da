import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ask } from '../../../../engine/flow/steps'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { courses, flow, leave, scriptedRegistry } from '../../../../tests/support/scripted'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import type { Conversation } from '../../../contracts/chat'
import { createChatbot } from '../../../contracts/chatbots'
import { createFileStore } from '../../../platform/files/files'
import { forgetUploads } from '../../../platform/files/uploadQuotas'
import { forgetUnsent } from '../files/forgetFiles'

const KB = 1_000
const quotas = {
  uploadsPerAddress: 100 * KB,
  uploadsPerChatbot: 150 * KB,
  uploadsPerProject: 200 * KB,
  filesPerProject: 300 * KB,
}
let server: TestServer
let second: TestServer
let now = new Date('2026-11-21T10:00:00Z')

beforeAll(async () => {
  const options = { registry: scriptedRegistry, clock: () => now, config: { quotas } }
  server = await startTestServer(options)
  second = await startTestServer({ ...options, beside: server })
  // the test starts the hourly deletion itself: the server's own would delete a row at the test's time, but not its
  // bytes, whose time is the machine's
  for (const { context } of [server, second]) await context.jobs.close()
  courses.start = () => leave('next')
  courses.gather = function* () {
    yield* ask({ input: 'file', required: true, accept: [], maxSize: 50 * KB, maxCount: 50 })
    return 'next'
  }
})
afterAll(async () => {
  await second.close()
  await server.close()
})
let bot = ''
let project = ''
/** A project of its own for each test. */
beforeEach(async () => {
  now = new Date(now.getTime() + 2 * 3_600_000)
  bot = `bot-${now.getTime()}`
  project = (await insertPublishedFlow(server.context.db, flow({ g: ['start', 'gather'] }), bot)).projectId
})

interface Answer {
  status: number
  retryAfter: string | undefined
  body: { data: unknown; code?: string }
}

/** A visitor from an address of this machine's, in a conversation of his own, at one of the processes. */
async function visitor(localAddress: string, at: TestServer = server, slug = bot) {
  const guest = await at.guest()
  const base = `/api/chat/${slug}/conversations`
  const { body } = await guest.send('POST', base, { client_id: `start-${Math.random().toString(36).slice(2, 12)}` })
  const { token, conversation } = body.data as { token: string; conversation: Conversation }
  const { hostname, port } = new URL(at.url)
  return (bytes: number) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-length': bytes, 'content-type': 'text/plain' }
      const path = `${base}/${conversation.id}/files?name=a.txt`
      const call = httpRequest({ hostname, port, path, method: 'POST', headers, localAddress }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            retryAfter: answer.headers['retry-after'],
            body: JSON.parse(text),
          }),
        )
      })
      call.on('error', reject).end(Buffer.from(Math.random().toString().padEnd(bytes, 'x')))
    })
}

async function bytesOnDisk(): Promise<number> {
  const folder = join(server.context.config.dataDir, 'files')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const found = await Promise.all(names.map((name) => stat(join(folder, name))))
  return found.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
}

it('ends at the quota of an address, however many come at once and at whichever process; another address goes on', async () => {
  const visitors = await Promise.all(
    Array.from({ length: 20 }, (_, n) => visitor('127.0.0.9', n % 2 ? server : second)),
  )
  const before = await bytesOnDisk()
  const sent = await Promise.all(visitors.map((upload) => upload(20 * KB)))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(5)
  expect((await bytesOnDisk()) - before).toBe(100 * KB)
  expect(sent.find(({ status }) => status !== 200)).toEqual({
    status: 429,
    retryAfter: '3600',
    body: { success: false, code: 'upload_limit', data: 'Too many uploads. Please retry later.' },
  })
  expect((await (await visitor('127.0.0.10'))(20 * KB)).status).toBe(200)
  now = new Date(now.getTime() + 3_600_001)
  expect((await (await visitor('127.0.0.9'))(20 * KB)).status).toBe(200)
})

it('ends at the quota of a chatbot, from wherever they come', async () => {
  const visitors = await Promise.all(Array.from({ length: 10 }, (_, n) => visitor(`127.0.1.${n + 1}`)))
  const sent = await Promise.all(visitors.map((upload) => upload(20 * KB)))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(7)
})

it('ends at the quota of a project, whichever of its chatbots they are for', async () => {
  const other = `${bot}-other`
  await insertPublishedFlow(server.context.db, flow({ g: ['start', 'gather'] }), other, {}, project)
  const sent: Answer[] = []
  for (const [n, slug] of [bot, bot, bot, other, other].entries())
    sent.push(await (await visitor(`127.0.3.${n + 1}`, server, slug))(45 * KB))
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  expect(sent.at(-1)?.body.code).toBe('upload_limit')
})

it('counts nothing for an upload that was refused, and what came in place of what might have come', async () => {
  const upload = await visitor('127.0.0.20')
  expect((await upload(51 * KB)).status).toBe(413)
  for (let n = 0; n < 10; n++) expect((await upload(10 * KB)).status).toBe(200)
  expect((await upload(10 * KB)).status).toBe(429)
  const rows = () => server.context.db.selectFrom('uploads').selectAll().where('address', '=', '127.0.0.20').execute()
  expect((await rows()).map(({ bytes, under_way }) => [Number(bytes), under_way])).toEqual(
    Array.from({ length: 10 }, () => [10 * KB, false]),
  )
  now = new Date(now.getTime() + 3_600_001)
  await forgetUploads(server.context)
  expect(await rows()).toEqual([])
})

it('ends at what the project may hold; what was not sent makes room an hour later', async () => {
  const round = async () => {
    const uploads = await Promise.all([1, 2, 3].map((n) => visitor(`127.0.2.${n}`)))
    const answers: Awaited<ReturnType<(typeof uploads)[number]>>[] = []
    // one after the other: what is just coming to its end counts twice for a moment
    for (const upload of uploads) answers.push(await upload(50 * KB))
    return answers
  }
  for (const hours of [0, 1]) {
    if (hours) now = new Date(now.getTime() + 3_600_001)
    expect((await round()).map(({ status }) => status)).toEqual([200, 200, 200])
  }
  now = new Date(now.getTime() + 3_600_001)
  expect((await round())[0]).toEqual({
    status: 507,
    retryAfter: '3600',
    body: { success: false, code: 'project_full', data: 'No more files can be taken here at the moment.' },
  })
  const store = createFileStore(join(server.context.config.dataDir, 'files'))
  // the bytes' times are the machine's
  const later = () => new Date(Math.max(now.getTime(), Date.now()) + 3_600_001)
  await forgetUnsent({ db: server.context.db, clock: later }, store)
  expect(await readdir(join(server.context.config.dataDir, 'files', project))).toEqual([])
  expect((await round()).map(({ status }) => status)).toEqual([200, 200, 200])
})

it('ends at what the project may hold for its editors, too', async () => {
  const editor = await server.register()
  const send = async (path: string, signature: string) => {
    const response = await fetch(`${server.url}/api/projects/${editor.pgid}/${path}`, {
      method: 'POST',
      headers: {
        cookie: [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': editor.cookies.get('XSRF-TOKEN') ?? '',
        'content-type': 'application/octet-stream',
      },
      body: Buffer.from(signature.padEnd(200 * KB, String(Math.random())), 'latin1'),
    })
    return [response.status, ((await response.json()) as { data: unknown }).data]
  }
  const full = 'This project has no file storage left. Ask the person who runs this installation.'
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Reads' } })
  expect((await send('files?medium=audio', 'RIFF\x10\0\0\0WAVEfmt '))[0]).toBe(200)
  expect(await send('files?medium=audio', 'RIFF\x10\0\0\0WAVEfmt ')).toEqual([507, full])
  expect(await send(`chatbots/${chatbot.gid}/sources/documents?name=a.pdf`, '%PDF-1.7')).toEqual([507, full])
})
