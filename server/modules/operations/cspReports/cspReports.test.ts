import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { listOperatorActions } from '../../../contracts/admin'
import { clearCspReports, listCspReports, sendCspReports } from '../../../contracts/cspReports'
import { PLAIN_PAGE_HEADERS } from '../../../platform/http/plainPage'
import { MOST_KEPT } from './keptReports'

const clock = createTestClock()
let server: TestServer
let owner: Registered
beforeEach(async () => {
  if (!server) {
    server = await startTestServer({ clock })
    owner = await server.register()
  }
  await owner.call(clearCspReports)
  // the limit of an address begins anew
  clock.pass(60)
})
afterAll(() => server.close())

const OLD = 'application/csp-report'
const NEW = 'application/reports+json'
const send = async (type: string, body: unknown) => {
  const answer = await fetch(server.url + sendCspReports.path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return answer.status
}
const kept = async () => (await owner.call(listCspReports)).reports
const GID = 'a1'.repeat(8)
const old = (more: object = {}) => ({
  'csp-report': {
    'document-uri': `https://parley.example/projects/${GID}/chatbots/${GID}/builder?secret=1#x`,
    referrer: 'https://elsewhere.example/private',
    'violated-directive': 'script-src-elem',
    'effective-directive': 'script-src-elem',
    'original-policy': "default-src 'self'",
    disposition: 'enforce',
    'blocked-uri': 'https://evil.example/steal.js?who=ada',
    'status-code': 200,
    'script-sample': 'ada@example.com',
    'source-file': 'https://parley.example/assets/index-a1.js?token=1',
    'line-number': 7,
    'column-number': 3,
    ...more,
  },
})
const modern = (more: object = {}) => ({
  type: 'csp-violation',
  age: 12,
  url: 'https://parley.example/c/lamps?secret=1',
  user_agent: 'Mozilla/5.0 (Ada)',
  body: {
    documentURL: 'https://parley.example/c/lamps?secret=1',
    referrer: '',
    blockedURL: 'inline',
    effectiveDirective: 'script-src-elem',
    originalPolicy: "default-src 'self'",
    disposition: 'enforce',
    statusCode: 200,
    sample: '',
    sourceFile: 'https://parley.example/c/lamps?secret=1',
    lineNumber: 1,
    columnNumber: 1,
    ...more,
  },
})

test('both kinds of reports are kept without ids, queries, samples or anything of the visitor, and counted', async () => {
  expect(await send(OLD, old())).toBe(204)
  const first_at = clock().toISOString()
  clock.pass(5)
  expect(await send(`${OLD}; charset=utf-8`, old())).toBe(204)
  const last_at = clock().toISOString()
  expect(await send(NEW, [modern(), modern({ effectiveDirective: 'ada-src' })])).toBe(204)
  const chat = { blocked: 'inline', page: '/c/:slug', source: null, line: 1, count: 1, first_at: last_at, last_at }
  expect(await kept()).toEqual([
    { ...chat, directive: 'other', source: '/c/:slug' },
    { ...chat, directive: 'script-src-elem', source: '/c/:slug' },
    {
      directive: 'script-src-elem',
      blocked: 'https://evil.example',
      page: '/projects/:pgid/chatbots/:cgid/builder',
      source: '/assets/index-a1.js',
      line: 7,
      count: 2,
      first_at,
      last_at,
    },
  ])
  const metrics = await server.context.metrics.registry.getSingleMetricAsString('parley_csp_violations_total')
  expect(metrics).toContain('{directive="script-src-elem",page="app"} 2')
  expect(metrics).toContain('{directive="other",page="chat"} 1')
  expect(metrics).not.toContain('ada-src')
})

test.each([
  ['https://parley.example/embed/@a1b2', '/embed/:chatbot'],
  ['https://parley.example/docs/operators/security', '/docs/operators/security'],
  ['https://parley.example/docs/ada@example.com', null],
  ['https://parley.example/api/weekly-mails/secret/end', null],
  ['https://parley.example/reset/secret', '/reset/:token'],
  ['about', null],
])('of the page %s is kept: %s', async (address, page) => {
  expect(await send(OLD, old({ 'document-uri': address }))).toBe(204)
  expect(await kept()).toMatchObject([{ page }])
})

test.each([
  ['blocked-uri', 'chrome-extension'],
  ['blocked-uri', 'moz-extension://a1b2/x.js'],
  ['source-file', 'chrome-extension://a1b2/x.js'],
  ['source-file', 'safari-web-extension://a1b2/x.js'],
])('what an extension of the browser did is answered and dropped: %s %s', async (field, address) => {
  expect(await send(OLD, old({ [field]: address }))).toBe(204)
  expect(await kept()).toEqual([])
})

test('that our own scripts may not compile code is dropped, what others tried is kept', async () => {
  const tried = (script: string) =>
    old({ 'blocked-uri': 'eval', 'document-uri': 'https://parley.example/admin', 'source-file': script })
  expect(await send(OLD, tried('https://parley.example/assets/app-CqSUTCct.js'))).toBe(204)
  expect(await kept()).toEqual([])
  expect(await send(OLD, tried('https://else.example/assets/app.js'))).toBe(204)
  expect(await kept()).toMatchObject([{ blocked: 'eval', source: 'https://else.example' }])
})

test('garbage, too much and what is no report are refused, and nothing of it is kept', async () => {
  expect(await send(OLD, '{broken')).toBe(400)
  expect(await send(NEW, '')).toBe(400)
  expect(await send(OLD, { 'csp-report': { ip: '203.0.113.7' } })).toBe(422)
  expect(await send(NEW, { type: 'csp-violation' })).toBe(422)
  expect(await send(NEW, [{ ...modern(), type: 'deprecation' }])).toBe(422)
  expect(
    await send(
      NEW,
      Array.from({ length: 21 }, () => modern()),
    ),
  ).toBe(422)
  expect(await send(NEW, [modern({ sample: 'x'.repeat(40_000) })])).toBe(413)
  expect(await send('text/plain', old())).toBe(415)
  expect(await kept()).toEqual([])
})

test('the newest distinct ones stay, until they are cleared, which stands in the log', async () => {
  const lines = Array.from({ length: MOST_KEPT + 10 }, (_, index) => modern({ lineNumber: index + 1 }))
  for (let from = 0; from < lines.length; from += 20) expect(await send(NEW, lines.slice(from, from + 20))).toBe(204)
  const reports = await kept()
  expect(reports).toHaveLength(MOST_KEPT)
  expect([reports[0]?.line, reports.at(-1)?.line]).toEqual([MOST_KEPT + 10, 11])
  await owner.call(clearCspReports)
  expect(await kept()).toEqual([])
  const { actions } = await owner.call(listOperatorActions)
  expect(actions[0]).toMatchObject({ action: 'clear_csp_reports', target: String(MOST_KEPT) })
})

test('an address is heard so many times a minute', async () => {
  const statuses: number[] = []
  for (let time = 0; time < 61; time++) statuses.push(await send(OLD, old()))
  expect(statuses.filter((status) => status === 204)).toHaveLength(60)
  expect(statuses.at(-1)).toBe(429)
})

test('policies say where to report: by https in the newer way as well', async () => {
  const http = (await fetch(server.url)).headers
  expect(http.get('content-security-policy')).toMatch(/;report-uri \/api\/csp-reports$/)
  expect(http.get('reporting-endpoints')).toBeNull()
  expect(PLAIN_PAGE_HEADERS['content-security-policy']).toContain('report-uri /api/csp-reports')
  const secure = await startTestServer({ config: { publicUrl: 'https://parley.example' } })
  const https = (await fetch(secure.url)).headers
  expect(https.get('content-security-policy')).toMatch(/;report-uri \/api\/csp-reports;report-to csp$/)
  expect(https.get('reporting-endpoints')).toBe('csp="/api/csp-reports"')
  await secure.close()
})
