import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { callContext } from '../../../../tests/support/effects'
import { largeFlow } from '../../../../tests/support/largeFlow'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import type { Task } from '../../../platform/workers/defineTask'
import { tasks } from '../../../tasks'
import { createMeaning } from '../../conversations/runtime/meaning'
import { createPrograms } from '../../conversations/runtime/programs'

/**
 * A draft or a version of thousands of groups holds up everybody where it is read as a whole: that is what threads are
 * for.
 */

/** The longest text that may be parsed at once; the test flow is longer, yet smaller than what is sent in pieces. */
const MOMENT = 64_000
/** PostgreSQL's types json and jsonb, which the driver parses. */
const JSON_TYPES = [114, 3802] as const

const flow = JSON.stringify(largeFlow(150))
let server: TestServer
let owner: Registered
let path: string
let fid: string
let cgid: string
let slug: string
/** stack traces of large texts parsed outside worker threads */
const readHere: string[] = []
let inThread = 0

const { parse } = JSON
const note: typeof JSON.parse = (text, ...more) => {
  const { stack = '' } = new Error('read')
  // except parsing by this test's own client
  if (text.length > MOMENT && inThread === 0 && !stack.includes('undici') && !stack.includes('tests/support/client'))
    readHere.push(stack)
  return parse(text, ...more)
}

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
  const made = await owner.send('POST', `/api/projects/${owner.pgid}/chatbots`, { name: 'Large', source: flow })
  const { chatbot } = made.body.data as { chatbot: { gid: string; fid: string; slug: string } }
  ;({ gid: cgid, fid, slug } = chatbot)
  path = `/api/projects/${owner.pgid}/chatbots/${cgid}`
  for (const task of tasks as readonly Task<unknown, unknown>[]) {
    const { load } = task
    vi.spyOn(task, 'load').mockImplementation(async () => {
      const work = await load()
      return async (input) => {
        inThread += 1
        try {
          return await work(input)
        } finally {
          inThread -= 1
        }
      }
    })
  }
  vi.spyOn(JSON, 'parse').mockImplementation(note)
  for (const type of JSON_TYPES) pg.types.setTypeParser(type, (text) => note(text))
})
afterEach(() => void readHere.splice(0))
afterAll(async () => {
  vi.restoreAllMocks()
  for (const type of JSON_TYPES) pg.types.setTypeParser(type, (text) => parse(text))
  await server?.close()
})

const call = async (method: 'GET' | 'POST' | 'PATCH', to: string, body?: object) => {
  const { status, text } = await owner.send(method, to, body)
  expect(status, text.slice(0, 300)).toBeLessThan(300)
}
const visit = async () => {
  const answer = await fetch(`${server.url}/api/chat/${slug}/conversations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"client_id":"${randomUUID()}"}`,
  })
  expect(answer.status).toBe(200)
}
const readByMcp = async () => {
  const key = await owner.send('POST', `/api/projects/${owner.pgid}/api-keys`, { name: 'Key' })
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(key.body.data as { secret: string }).secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_flow","arguments":{"chatbot":"${cgid}"}}}`,
  })
  expect(await answer.text()).toContain('\\"mark\\"')
}
const learnMeaning = async () => {
  const context = { ...server.context, drafts: server.parts.drafts }
  const asked = new Promise<void>((resolve) => {
    const embed = async () => {
      resolve()
      return null
    }
    const meaning = createMeaning({ context, programs: createPrograms(context), embed })
    void lastRun().then((called) => meaning.answer({ text: 'Hello' }, callContext(called)))
  })
  await asked
}
const lastRun = async () => {
  const { id, project_id, flow_version_id } = await server.context.db
    .selectFrom('runs')
    .select(['id', 'project_id', 'flow_version_id'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { project: { id: project_id }, run: { id, versionId: flow_version_id, variables: {} } }
}

test.each<[string, () => Promise<void>]>([
  ['publishing', () => call('POST', `${path}/flows/${fid}/publish`, {})],
  ['the first visit', visit],
  ['what a text means', learnMeaning],
  ['comparing a version', () => call('GET', `${path}/versions/1`)],
  ['comparing the draft', () => call('GET', `${path}/versions/draft`)],
  ['restoring', () => call('POST', `${path}/versions/1/restore`, {})],
  ['renaming', () => call('PATCH', `${path}/versions/1`, { name: 'First' })],
  ['publishing a version again', () => call('POST', `${path}/versions/1/publish`, {})],
  ['starting a test', () => call('POST', `${path}/flows/${fid}/playground`, { client_id: randomUUID() })],
  ['copying the project', () => call('POST', `/api/projects/${owner.pgid}/duplicate`, {})],
  ['uses of secrets', () => call('GET', `/api/projects/${owner.pgid}/secrets/uses`)],
  ['the checker', () => call('GET', `${path}/publish-check`)],
  ['an export', () => call('GET', `${path}/flows/${fid}/export`)],
  ['reading by MCP', readByMcp],
])('%s reads no large flow outside of a thread', async (_, run) => {
  expect(flow.length).toBeGreaterThan(2 * MOMENT)
  await run()
  expect(readHere).toEqual([])
})
