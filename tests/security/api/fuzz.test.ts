import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../../server/contracts/api-keys'
import { startConversation } from '../../../server/contracts/chat'
import { createChatbot } from '../../../server/contracts/chatbots'
import { saveMessageApi } from '../../../server/contracts/messageApi'
import { endBackgroundWork } from '../../support/backgroundWork'
import { createTestClock } from '../../support/clock'
import { type Registered, startTestServer, type TestServer } from '../../support/server'
import { type Content, openContent } from '../tenancy/content'
import { type ApiDocument, type DescribedOperation, type FuzzedRequest, type Ids, requestsOf } from './requests'

/**
 * The public API under requests that are drawn from its description, with parts that are wrong: it never fails (500), answers as
 * described or with a problem, and neither tells nor changes what is another project's.
 */
const REQUESTS = process.env.FULL ? 5_000 : 300
const SEED = 19
/** The full number takes longer than the two minutes that other tests get. */
const TIME = process.env.FULL ? 900_000 : undefined
/** drawn at once: what is made meanwhile is asked for by the next */
const BATCH = 100

const clock = createTestClock('2026-11-29T10:00:00Z')
let server: TestServer
let content: Content
let description: ApiDocument
let key: string
const ids: Ids = {}
const MARK = 'theirs-7731'
let theirProject: string

beforeAll(async () => {
  server = await startTestServer({ clock })
  content = await openContent(server.connection)
  description = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as ApiDocument
  const [owner, stranger] = [await server.register(), await server.register()]
  const theirs = await fill(stranger, MARK)
  const own = await fill(owner, 'ours')
  key = own.key
  for (const name of Object.keys(own.ids)) ids[name] = { own: own.ids[name] ?? [], foreign: theirs.ids[name] ?? [] }
  const row = server.context.db.selectFrom('projects').select('id').where('gid', '=', stranger.pgid)
  theirProject = (await row.executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await content.close()
  await server.close()
})

/** A project with one of each that a path names, and a text in each. @returns its key, and ids by the parameters' names */
async function fill(person: Registered, mark: string) {
  const params = { pgid: person.pgid }
  const { chatbot } = await person.call(createChatbot, { params, body: { name: mark, template: 'lead-qualification' } })
  const { secret } = await person.call(createApiKey, { params, body: { name: mark, calls_a_minute: 600 } })
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status, path).toBeLessThan(300)
    const text = await response.text()
    return JSON.parse(text || 'null') as { gid: string; endpoint: { gid: string } }
  }
  const { gid: contact } = await post('/contacts', { fields: { name: mark, email: `${mark}@example.com` } })
  await post(`/chatbots/${chatbot.gid}/publish`, { notes: mark })
  const channel = { url: 'https://example.com/messages' }
  await person.call(saveMessageApi, { params: { ...params, cgid: chatbot.gid }, body: channel })
  const guest = await server.guest()
  const { conversation } = await guest.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: `visitor-of-${mark}` },
  })
  await post(`/conversations/${conversation.id}/notes`, { body: mark })
  const faq = await post(`/chatbots/${chatbot.gid}/sources/faq`, { question: mark, phrasings: [], answer: mark })
  const hook = {
    url: 'https://example.com/',
    description: mark,
    events: ['lead.created'],
    personal: false,
    enabled: true,
  }
  const webhook = (await post('/webhooks', hook)).endpoint.gid
  const { gid: exported } = await post('/exports', { kind: 'contacts' })
  const made = { contact, conversation: conversation.id, source: faq.gid, webhook, export: exported }
  const all = { chatbot: chatbot.gid, flow: chatbot.fid, ...made }
  return { key: secret, ids: Object.fromEntries(Object.entries(all).map(([name, id]) => [name, [id]])) }
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const checks = new WeakMap<object, ReturnType<typeof ajv.compile>>()

/** @returns what is wrong with the answer to a request; null: nothing */
async function send({ operation, method, path, headers, body }: FuzzedRequest): Promise<string | null> {
  // faster than the limits of a minute would be another test's matter
  clock.pass(5)
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (text.includes(MARK)) return `${response.status} tells what is another project's`
  if (response.status >= 500) return `${response.status} ${text.slice(0, 300)}`
  const schema = schemaOf(operation, response)
  if (schema === null) return isDescribed(operation, response, text) ? null : `${response.status} is not described`
  const check = checks.get(schema) ?? ajv.compile(schema)
  checks.set(schema, check)
  const answer = JSON.parse(text)
  if (!check(answer)) return `${response.status} ${ajv.errorsText(check.errors)}`
  remember(operation.operationId, answer)
  return null
}

/** Whether a file is of one of the types that the description names; nothing is where it names none. */
function isDescribed({ responses }: DescribedOperation, { status, headers }: Response, text: string): boolean {
  const described = responses[String(status)]
  if (!described?.content) return described !== undefined && text === ''
  return Object.keys(described.content).includes(headers.get('content-type')?.split(';')[0] ?? '')
}

/** What an answer has to be like: as described, or a problem; null: no JSON. */
function schemaOf({ responses }: DescribedOperation, response: Response): object | null {
  if (response.status >= 300) return description.components.schemas.Problem
  return responses[String(response.status)]?.content?.['application/json']?.schema ?? null
}

/** Ids of what was made, so that later requests name what there is. */
function remember(operation: string, answer: { gid?: string; endpoint?: { gid: string } }): void {
  const made = {
    createContact: 'contact',
    addFaq: 'source',
    addText: 'source',
    createWebhook: 'webhook',
    createExport: 'export',
  }
  const name = made[operation as keyof typeof made]
  const gid = answer.endpoint?.gid ?? answer.gid
  if (name && gid) ids[name]?.own.push(gid)
}

const shown = ({ operation, method, path, headers, body }: FuzzedRequest) =>
  [operation.operationId, method, path.slice(0, 300), JSON.stringify(headers).slice(0, 200), body?.slice(0, 500)].join(
    ' ',
  )

test(`${REQUESTS} requests: none fails, none reaches another project, all are answered as described`, {
  timeout: TIME,
}, async () => {
  await endBackgroundWork(server)
  const before = await content.of(theirProject)
  const wrong: string[] = []
  for (let drawn = 0; drawn < REQUESTS; drawn += BATCH) {
    const batch = fc.sample(requestsOf(description, ids), { numRuns: BATCH, seed: SEED + drawn })
    for (const request of batch) {
      const problem = await send(request)
      if (problem) wrong.push(`${shown(request)}\n  -> ${problem}`)
    }
  }
  expect(wrong).toEqual([])
  await endBackgroundWork(server)
  for (const [table, rows] of await content.of(theirProject)) expect(rows, table).toBe(before.get(table))
})
