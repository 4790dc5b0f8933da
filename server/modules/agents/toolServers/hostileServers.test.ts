import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { afterEach, expect, test, vi } from 'vitest'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { createOutboundStream } from '../../../platform/outbound/outboundStream'
import { createToolServerClient } from './client'
import { offerCaps } from './offeredTools'

type Message = { id?: number; method?: string; params?: Record<string, unknown> }
type Answering = (message: Message, response: ServerResponse) => void

const open: (() => void)[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const close of open.splice(0)) close()
})

/** A server that responds as the test says to everything after initialization. */
async function hostile(answer: Answering) {
  const heard: Message[] = []
  const http = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    let text = ''
    for await (const chunk of request) text += chunk
    const message = JSON.parse(text) as Message
    heard.push(message)
    if (message.method === 'initialize') {
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      }
      return json(response, { jsonrpc: '2.0', id: message.id, result })
    }
    if (message.id === undefined || !message.method) return response.writeHead(202).end()
    answer(message, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  open.push(() => {
    http.closeAllConnections()
    http.close()
  })
  const access = { projectId: '1', url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, token: null }
  return { access, heard, asked: (method: string) => heard.filter((one) => one.method === method).length }
}
const json = (response: ServerResponse, value: unknown) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const offers =
  (...tools: object[]): Answering =>
  ({ id }, response) =>
    json(response, { jsonrpc: '2.0', id, result: { tools } })
const tool = (more: object = {}) => ({ name: 'track', inputSchema: { type: 'object' }, ...more })
const client = createToolServerClient(() => createOutboundStream({ allowed: parseNetworks('127.0.0.1') }))
const properties = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }]))
const nested = (depth: number): object => (depth === 0 ? {} : { items: nested(depth - 1) })
const problem = async (answer: Answering) => {
  const listed = await client.list((await hostile(answer)).access)
  return 'problem' in listed ? listed.problem : null
}

test('schemas of outputs are neither compiled nor kept', async () => {
  const compiled = vi.spyOn(AjvJsonSchemaValidator.prototype, 'getValidator')
  const outputSchema = { type: 'object', properties: properties(6_000) }
  const { access } = await hostile(offers(tool({ outputSchema })))
  expect(await client.list(access)).toEqual({
    tools: [{ name: 'track', title: 'track', description: '', schema: { type: 'object' } }],
  })
  expect(compiled).not.toHaveBeenCalled()
})

test.each<[of: string, message: RegExp, offered: object]>([
  [
    '6,000 properties',
    /“track” has 6,000 properties; at most 200 .* Ask the people/,
    { properties: properties(6_000) },
  ],
  ['properties within others', /“track” has 400 properties/, { properties: { a: { properties: properties(399) } } }],
  ['too many levels', /“track” has more than 20 levels/, nested(25)],
  ['too many bytes', /“track” has 20 KB; at most 16 KB/, { description: 'x'.repeat(20_000 - 50) }],
])('an input schema of %s is refused at the form', async (_of, message, schema) => {
  expect(await problem(offers(tool({ inputSchema: { type: 'object', ...schema } })))).toEqual({
    at: 'url',
    message: expect.stringMatching(message),
  })
})

test('names that are too long, and what is no list of tools, are refused', async () => {
  expect((await problem(offers(tool({ name: 'n'.repeat(129) }))))?.message).toContain('a name of 129 characters')
  expect((await problem(offers({ name: 'x' })))?.message).toContain('has no name or no input schema')
  expect(
    (await problem(({ id }, response) => json(response, { jsonrpc: '2.0', id, result: { tools: 'x' } })))?.message,
  ).toContain('no list of tools')
})

test('descriptions and titles are cut, and of many tools the first are taken', async () => {
  const { access } = await hostile(
    offers(
      ...Array.from({ length: 60 }, (_, n) =>
        tool({ name: `t${n}`, title: 'T'.repeat(1_000), description: 'd'.repeat(5_000) }),
      ),
    ),
  )
  const listed = await client.list(access)
  const tools = 'tools' in listed ? listed.tools : []
  expect(tools).toHaveLength(50)
  expect([tools[0]?.title.length, tools[0]?.description.length]).toEqual([offerCaps.title, offerCaps.description])
})

test('a list without an end is read for ten pages', async () => {
  let page = 0
  const { access, asked } = await hostile(({ id }, response) => {
    page += 1
    json(response, { jsonrpc: '2.0', id, result: { tools: [tool({ name: `t${page}` })], nextCursor: `${page}` } })
  })
  const listed = await client.list(access)
  expect('tools' in listed && listed.tools.length).toBe(offerCaps.pages)
  expect(asked('tools/list')).toBe(offerCaps.pages)
})

test.each<[of: string, answer: Answering]>([
  ['one answer', offers(tool({ description: 'x'.repeat(3_000_000) }))],
  [
    'a stream of events',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = `: ${'x'.repeat(60_000)}\n\n`
      for (let n = 0; n < 50; n++) response.write(event)
    },
  ],
])('more than 500 KB in %s are not read', async (_of, answer) => {
  expect((await problem(answer))?.message).toMatch(/more than 500 KB .* Ask the people/)
})

test('what a server asks for itself is neither carried out nor answered, and much of it ends the question', async () => {
  const { access, heard } = await hostile((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let n = 0; n < 500; n++) {
      const method = ['sampling/createMessage', 'elicitation/create', 'roots/list', 'ping'][n % 4]
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: n, method, params: {} })}\n\n`)
    }
  })
  const listed = await client.list(access)
  expect('problem' in listed && listed.problem.message).toContain('much that nobody asked for')
  expect(heard.filter(({ method }) => method === undefined)).toEqual([])
})

test('a few notices beside the answer do no harm', async () => {
  const { access } = await hostile(({ id }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let n = 0; n < 5; n++)
      response.write(
        `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: n } })}\n\n`,
      )
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [tool()] } })}\n\n`)
  })
  expect(await client.list(access)).toMatchObject({ tools: [{ name: 'track' }] })
})

test('a tool’s answer is bounded likewise, and what it says is structured is taken as it is or not at all', async () => {
  const call = async (result: object) => {
    const { access } = await hostile(({ id }, response) => json(response, { jsonrpc: '2.0', id, result }))
    return client.call(access, 'track', {}, AbortSignal.timeout(10_000))
  }
  expect((await call({ content: [{ type: 'text', text: 'x'.repeat(3_000_000) }] })).detail).toContain(
    'more than 500 KB',
  )
  const parts = Array.from({ length: 5_000 }, () => ({ type: 'text', text: 'y' }))
  expect((await call({ content: parts })).detail).toHaveLength(199)
  const deep = await call({ content: [{ type: 'text', text: 'shallow' }, null], structuredContent: nested(200) })
  expect(deep).toMatchObject({ ok: true, answer: 'shallow\n[undefined]' })
  expect((await call({ content: [], structuredContent: { n: 1 } })).answer).toEqual({ n: 1 })
})
