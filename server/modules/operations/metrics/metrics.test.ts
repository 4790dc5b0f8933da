import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock } from '../../../../tests/support/clock'
import { type ModelServer, startModelServer } from '../../../../tests/support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { startConversation } from '../../../contracts/chat'
import { createChatbot } from '../../../contracts/chatbots'
import { publishFlow } from '../../../contracts/flows'
import { listProjects } from '../../../contracts/projects'
import { backgroundRetries } from '../../../platform/backoff'
import { defineJob } from '../../../platform/jobs/defineJob'
import { createMetrics } from '../../../platform/metrics/createMetrics'
import { measureProcess } from '../../../platform/metrics/measureProcess'
import { createModels } from '../../models/createModels'
import { mayReadMetrics } from './mayRead'

const clock = createTestClock()
const errand = defineJob('errand', z.string())
let server: TestServer
let models: ModelServer
let ada: Registered
beforeAll(async () => {
  models = await startModelServer()
  server = await startTestServer({ clock })
  ada = await server.register()
})
afterAll(() => Promise.all([server.close(), models.close()]))

const read = async (headers: Record<string, string> = {}, of = server) => {
  const answer = await fetch(`${of.url}/metrics`, { headers })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}
/** The value of a series, by its name and labels as they are written. */
const seriesIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
/** The values of all that begin so. */
const sumOf = (text: string, begin: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(begin))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)

test('calls are counted by route and status, whatever path or method a stranger makes up', async () => {
  const before = (await read()).text
  await ada.call(listProjects)
  const stranger = await server.guest()
  for (const path of ['/api/nothing/1', '/api/nothing/2', '/wp-admin.php']) await stranger.send('GET', path)
  await fetch(`${server.url}/api/projects`, { method: 'PROPFIND' })
  const { status, type, text } = await read()
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const listed = 'parley_http_requests_total{method="GET",route="/api/projects",status="2xx"}'
  expect((seriesIn(text, listed) ?? 0) - (seriesIn(before, listed) ?? 0)).toBe(1)
  const other = 'parley_http_requests_total{method="other",route="other",status="4xx"}'
  expect((seriesIn(text, other) ?? 0) - (seriesIn(before, other) ?? 0)).toBe(4)
  expect(text).not.toMatch(/wp-admin|nothing|PROPFIND/)
  expect(seriesIn(text, 'parley_http_request_seconds_count{kind="read"}')).toBeGreaterThan(0)
})

test('a conversation counts as turns and as calls of a model, and its open stream as one', async () => {
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Shop' } })
  await ada.call(publishFlow, { params: { pgid: ada.pgid, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
  const before = (await read()).text
  const visitor = await server.guest()
  const { token, conversation } = await visitor.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: 'start-of-it-01' },
  })
  const leave = new AbortController()
  const events = `${server.url}/api/chat/${chatbot.slug}/conversations/${conversation.id}/events?token=${token}&after=0`
  const stream = await fetch(events, { signal: leave.signal })
  expect(stream.status).toBe(200)
  const { text } = await read()
  expect(sumOf(text, 'parley_turns_total{kind="plain"') - sumOf(before, 'parley_turns_total{kind="plain"')).toBe(1)
  expect(sumOf(text, 'parley_turn_seconds_count{kind="plain"}')).toBeGreaterThan(0)
  expect(seriesIn(text, 'parley_event_streams')).toBe(1)
  leave.abort()
  await expect.poll(async () => seriesIn((await read()).text, 'parley_event_streams')).toBe(0)

  const context = { ...server.context, config: { ...server.context.config, ai: models.settings } }
  const model = await createModels(context, { retries: 0 }).open('1', 2)
  const prompt = { system: '', messages: [{ role: 'user' as const, content: 'Hello' }], temperature: 0 }
  await model?.write(prompt)
  models.answers((response) => response.writeHead(400).end('{}'))
  await model?.write(prompt)
  const after = (await read()).text
  const counted = (outcome: string) =>
    seriesIn(after, `parley_model_calls_total{provider="openai-compatible",operation="write",outcome="${outcome}"}`)
  expect([counted('ok'), counted('failed')]).toEqual([1, 1])
})

test('jobs are counted by how they ended, and those that wait and were given up by the database', async () => {
  const { jobs, db } = server.context
  jobs.handle(
    errand.handledBy(async () => {
      throw new Error('the shop is closed')
    }),
  )
  await jobs.schedule(db, errand, { payload: 'tea', runAt: clock(), projectId: null })
  await jobs.schedule(db, errand, { payload: 'milk', runAt: new Date(clock().getTime() + 9e9), projectId: null })
  for (let attempt = 1; attempt <= 10; attempt++) {
    await jobs.runDue()
    clock.pass(backgroundRetries.waitAfter(attempt) / 1_000)
  }
  const other = await startTestServer({ clock, beside: server })
  const { text } = await read({}, other)
  await other.close()
  expect(seriesIn(text, 'parley_jobs{state="given up"}')).toBe(1)
  expect(seriesIn(text, 'parley_jobs{state="waiting"}')).toBeGreaterThan(0)
  expect(seriesIn(text, 'parley_projects')).toBe(1)
  expect(seriesIn(text, 'parley_database_bytes')).toBeGreaterThan(1e6)
  expect(text).toContain('parley_events_behind_seconds{consumer="')
  const own = (await read()).text
  expect(seriesIn(own, 'parley_job_runs_total{kind="errand",outcome="failed"}')).toBe(9)
  expect(seriesIn(own, 'parley_job_runs_total{kind="errand",outcome="given up"}')).toBe(1)
})

test('without the database the process is measured all the same, and nothing old is told of the installation', async () => {
  const lone = await startTestServer()
  expect((await read({}, lone)).text).toContain('parley_database_up 1')
  await lone.context.db.destroy()
  await expect
    .poll(async () => seriesIn((await read({}, lone)).text, 'parley_database_up'), { timeout: 10_000 })
    .toBe(0)
  const { text } = await read({}, lone)
  expect(text).toContain('parley_http_requests_total{')
  for (const name of ['parley_database_bytes', 'parley_projects', 'parley_jobs{', 'parley_jobs_oldest'])
    expect(text.split('\n').filter((line) => line.startsWith(name))).toEqual([])
  await lone.close().catch(() => {})
})

test('with a token nobody reads metrics without it; without one, only this machine where all else is on it too', async () => {
  const { config } = server.context
  config.metricsToken = 'secret-of-sixteen'
  expect((await read()).status).toBe(404)
  expect((await read({ authorization: 'Bearer secret-of-sixteeN' })).status).toBe(404)
  expect((await read({ authorization: 'Bearer secret-of-sixteen' })).status).toBe(200)
  config.metricsToken = null

  const may = (publicUrl: string, address: string, headers: Record<string, string> = {}) =>
    mayReadMetrics({ metricsToken: null, publicUrl }, {
      headers: { host: 'localhost:3000', ...headers },
      socket: { remoteAddress: address },
    } as never)
  const here = 'http://localhost:3000'
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(may(here, address), address).toBe(true)
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '127.evil', '']) expect(may(here, address), address).toBe(false)
  // a proxy on this machine passes strangers on
  expect(may('https://parley.example.com', '127.0.0.1')).toBe(false)
  expect(may(here, '127.0.0.1', { 'x-forwarded-for': '203.0.113.1' })).toBe(false)
  expect(may(here, '127.0.0.1', { host: 'rebound.example.com' })).toBe(false)
})

test('dashboard and alert rules name nothing that there is not', async () => {
  const folder = join(import.meta.dirname, '../../../../deploy')
  const dashboard = await readFile(join(folder, 'grafana/parley.json'), 'utf8')
  const rules = await readFile(join(folder, 'prometheus/alerts.yml'), 'utf8')
  const parsed = z
    .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })) })
    .parse(load(rules))
  const panels = z
    .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })) })
    .parse(JSON.parse(dashboard))
  const expressions = [
    ...parsed.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const whole = createMetrics()
  measureProcess(whole)
  const known = new Map<string, Set<string>>([['up', new Set(['job'])]])
  for (const { registry } of [whole, server.context.metrics])
    for (const metric of registry.getMetricsAsArray() as unknown as {
      name: string
      type: string
      labelNames: string[]
    }[])
      for (const suffix of metric.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
        known.set(metric.name + suffix, new Set([...metric.labelNames, 'le', 'job', 'instance']))
  const named = (expression: string) => [
    ...expression.matchAll(/\b((?:parley|nodejs|process)_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g),
  ]
  expect(expressions.length).toBeGreaterThan(40)
  for (const expression of expressions) {
    expect(named(expression).length, expression).toBeGreaterThan(0)
    for (const [, name = '', labels = ''] of named(expression)) {
      expect([...known.keys()], expression).toContain(name)
      for (const [, label] of labels.matchAll(/([a-z_]+)\s*[!=]/g))
        expect([...(known.get(name) ?? [])]).toContain(label)
    }
  }
  const alerted = new Set(expressions.flatMap((each) => named(each).map(([, name]) => name)))
  const unused = [...known.keys()].filter((name) => name.startsWith('parley_') && !/_(?:sum|count)$/.test(name))
  // what is measured is shown
  expect(unused.filter((name) => !alerted.has(name))).toEqual([])
})
