import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { callingFlow, callingRegistry } from '../../../tests/support/callingFlow'
import { counting } from '../../../tests/support/effects'
import { type ModelServer, startModelServer } from '../../../tests/support/modelServer'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import type { Conversation } from '../../contracts/chat'
import { createModels } from '../../modules/models/createModels'
import { parseConfig } from '../config/config'
import { defineJob } from '../jobs/defineJob'
import { exportTraces } from './exportTraces'
import { inSpan } from './spans'

/** What arrives at a collector, as OTLP writes it in JSON. */
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value: z.unknown() })) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(z.object({ key: z.string(), value: z.unknown() })),
              status: z.object({ code: z.number().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
})
type Span = z.infer<typeof sent>['resourceSpans'][number]['scopeSpans'][number]['spans'][number]

const arrived: { headers: NodeJS.Dict<string | string[]>; path: string; body: string }[] = []
const collector = createServer(async (request, response) => {
  arrived.push({ headers: request.headers, path: request.url ?? '', body: await text(request) })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
/** Said by the visitor, the model and a job: none of it may leave. */
const PRIVATE = ['my secret word', 'an answer of the model', 'the payload of a job']
const errand = defineJob('errand', z.string())
const sequel = defineJob('sequel', z.string())

let server: TestServer
let models: ModelServer
let lines: Record<string, unknown>[]
let spans: Span[]
/** whether the row of a job for the next day names a span */
let isTracedForDays: boolean
beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const { port } = collector.address() as AddressInfo
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
  process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-collector-key=of-ours'
  const problems: string[] = []
  const end = exportTraces((problem) => problems.push(problem))
  models = await startModelServer()
  lines = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const handler = counting(async () => {
    const context = { ...server.context, config: { ...server.context.config, ai: models.settings } }
    const model = await createModels(context, { retries: 0 }).open('1', 2)
    models.answers('an answer of the model')
    const prompt = { system: '', messages: [{ role: 'user' as const, content: 'my secret word' }], temperature: 0 }
    return { ok: (await model?.write(prompt))?.ok ?? false }
  })
  server = await startTestServer({ registry: callingRegistry, effects: [handler], log, config: { traces: true } })
  await insertPublishedFlow(server.context.db, callingFlow({ calls: true }), 'traced-bot')
  const visitor = await server.guest()
  const base = '/api/chat/traced-bot/conversations'
  const started = (await visitor.send('POST', base, { client_id: 'start-it-01' })).body.data as {
    token: string
    conversation: Conversation
  }
  const body = { client_id: 'message-it-01', reply: { type: 'text', text: 'my secret word' } }
  const headers = {
    authorization: `Bearer ${started.token}`,
    traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
  }
  const answer = await visitor.send('POST', `${base}/${started.conversation.id}/messages`, body, headers)
  expect(answer.status).toBe(200)
  const { jobs, db, clock } = server.context
  jobs.handle(
    errand.handledBy(async () => {
      throw new TypeError('the payload of a job')
    }),
  )
  await jobs.schedule(db, errand, { payload: 'the payload of a job', runAt: clock(), projectId: null })
  jobs.handle(sequel.handledBy(async () => {}))
  await inSpan('asked', {}, async () => {
    for (const [key, days] of [
      ['now', 0],
      ['tomorrow', 1],
    ] as const)
      await jobs.schedule(db, sequel, {
        ...{ key, payload: '', projectId: null },
        runAt: new Date(clock().getTime() + days * 86_400_000),
      })
  })
  await jobs.runDue()
  const left = await db.selectFrom('jobs').select('trace').where('kind', '=', 'sequel').executeTakeFirstOrThrow()
  isTracedForDays = left.trace !== null
  await Promise.all([server.close(), models.close()])
  await end()
  expect(problems).toEqual([])
  spans = arrived.flatMap(({ body }) =>
    sent.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
})
afterAll(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  delete process.env.OTEL_EXPORTER_OTLP_HEADERS
  collector.close()
})

const named = (name: string) => spans.filter((span) => span.name === name)
const parentOf = (span: Span | undefined) => spans.find(({ spanId }) => spanId === span?.parentSpanId)

test('a message’s request is one trace: its turn, the call that this made, and the model within it', () => {
  const [model] = named('model write')
  const line = []
  for (let span = model; span; span = parentOf(span)) line.push(span.name)
  expect(line).toEqual(['model write', 'effect count', 'turn', expect.stringMatching(/^POST \/api\/chat\/.*messages$/)])
  expect(new Set(spans.filter(({ traceId }) => traceId === model?.traceId).map(({ name }) => name)).size).toBe(4)
})

test('a collector gets them as OpenTelemetry says, with its key, and the service’s name', () => {
  const [first] = arrived
  expect(first).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'of-ours' } })
  const { resource } = sent.parse(JSON.parse(first?.body ?? '')).resourceSpans[0] ?? {}
  expect(resource?.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'parley' } })
})

test('a failed job that nothing traced is a trace of its own, which has failed, by the name of its error', () => {
  const [job] = named('job errand')
  expect(job).toMatchObject({ status: { code: 2 } })
  expect(job?.parentSpanId ?? '').toBe('')
  expect(job?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'TypeError' } })
})

test('a job goes on with the trace of what scheduled it, but not a day later', () => {
  const [job, more] = named('job sequel')
  expect(parentOf(job)?.name).toBe('asked')
  expect(job?.traceId).toBe(named('asked')[0]?.traceId)
  expect([more, isTracedForDays]).toEqual([undefined, false])
})

test('nothing that anybody wrote leaves, and no caller chooses a trace', () => {
  const all = arrived.map(({ body }) => body).join('\n')
  expect(all).toContain('parley.conversation')
  for (const words of [...PRIVATE, 'traced-bot', '127.0.0.1', '1'.repeat(32)]) expect(all).not.toContain(words)
})

test('the log bears the id of the request’s trace', () => {
  const call = lines.find(({ msg, route }) => msg === 'a call was answered' && String(route).endsWith('/messages'))
  expect(call?.trace_id).toBe(named('model write')[0]?.traceId)
})

test('traces are on where a collector is named, and off by OpenTelemetry’s own switches', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }
  const traces = (env: Record<string, string>) => parseConfig(env).traces
  expect([traces({}), traces(endpoint)]).toEqual([false, true])
  expect(traces({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBe(false)
  expect(traces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
  expect(() => traces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' })).toThrow('speaks OTLP over HTTP')
})
