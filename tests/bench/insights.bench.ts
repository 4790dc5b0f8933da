import type { CompiledQuery } from 'kysely'
import { afterAll, bench } from 'vitest'
import { drill } from '../../server/modules/insights/analytics/drill'
import { readAnalytics } from '../../server/modules/insights/analytics/readAnalytics'
import type { Scope } from '../../server/modules/insights/analytics/scope'
import type { ProjectDb } from '../../server/platform/database/database'
import { createTestDatabase, type TestDatabase } from '../support/database'
import { insertPublishedFlow } from '../support/publishedFlow'
import { benchFlow, fillInsights } from './insights/fill'

/**
 * The analytics of a chatbot with a million conversations in a year, which are ten million events (a conversation's start, run,
 * messages, end): how long each query takes, and all of them. `PARLEY_BENCH_CONVERSATIONS=10000` for fewer.
 */
const CONVERSATIONS = Number(process.env.PARLEY_BENCH_CONVERSATIONS ?? 1_000_000)
const TIMES = 20

let database: TestDatabase | undefined
afterAll(() => database?.close())

/** What a query is called: the first table that it reads, and what it groups by or counts. */
function nameOf({ sql }: Pick<CompiledQuery, 'sql'>): string {
  const text = sql.replace(/\s+/g, ' ').toLowerCase()
  const found = names.find(([part]) => text.includes(part))
  return found?.[1] ?? text.slice(0, 60)
}
const names = [
  ['as rolled from period', 'what is rolled up'],
  ['as visitors', 'visitors'],
  ['coalesce(sum(conversations), 0)', 'sums of all figures'],
  ['as leads', 'leads'],
  ['as credits', 'credits'],
  ['from insight_courses', 'series and busiest hours'],
  ['from place_visits', 'places'],
  ['from place_months', 'places'],
  ['from visit_counts', 'where visitors are'],
  ['from visit_months', 'where visitors are'],
  ['nullif(page', 'pages'],
  ['unnest(sources)', 'sources'],
  ['sum(questions), 0) as questions', 'questions: how many'],
  ['from asked_wordings', 'questions: most frequent'],
  ['as wanted (wording_hash)', 'questions: counted'],
  ['as shown (wording_hash)', 'questions: words'],
  ['group by 1) as counted', 'questions: grouped'],
  ['grouping sets', 'languages, channels, environments'],
  ['as done', 'people'],
  ['with months as', 'people: months'],
  ['as months (starts, ahead)', 'people: hours'],
  ['as open from conversations', 'people: open now'],
  ['order by facts.started_at desc', 'drill-down'],
] as const

/** The same database, with the time of each query noted. */
function timed(db: ProjectDb, note: (name: string, took: number) => void): ProjectDb {
  const executor = db.getExecutor()
  const watching = {
    ...{ adapter: executor.adapter, plugins: executor.plugins },
    transformQuery: executor.transformQuery.bind(executor),
    compileQuery: executor.compileQuery.bind(executor),
    async executeQuery<Row>(query: CompiledQuery) {
      const from = performance.now()
      const result = await executor.executeQuery<Row>(query)
      note(nameOf(query), performance.now() - from)
      return result
    },
  }
  return new Proxy(db, {
    get: (target, key) => {
      if (key === 'getExecutor') return () => watching
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function measure(db: ProjectDb, title: string, scope: Scope): Promise<void> {
  const took = new Map<string, number[]>()
  const note = (name: string, ms: number) => void took.set(name, [...(took.get(name) ?? []), ms])
  const watched = timed(db, note)
  await readAnalytics(db, scope, { full: true, now: new Date() })
  for (let time = 0; time < TIMES; time++) {
    const from = performance.now()
    await readAnalytics(watched, scope, { full: true, now: new Date() })
    note('ALL OF THEM', performance.now() - from)
    await drill(watched, scope, { figure: 'unresolved' }, new Date())
  }
  console.info(`\n${title}`)
  for (const [name, all] of [...took].toSorted(([, one], [, other]) => Math.max(...other) - Math.max(...one))) {
    const sorted = all.toSorted((one, other) => one - other)
    const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`
    console.info(`${name.padEnd(32)} p50 ${at(0.5).padStart(10)}  p95 ${at(0.95).padStart(10)}`)
  }
}

async function run(): Promise<void> {
  database = await createTestDatabase()
  const { db } = database
  const flow = await insertPublishedFlow(db, benchFlow())
  const from = performance.now()
  await fillInsights(db, flow, CONVERSATIONS)
  console.info(`${CONVERSATIONS} conversations written in ${((performance.now() - from) / 1_000).toFixed(0)} s`)
  const own = db.forProject(flow.projectId)
  const scope = { projectId: flow.projectId, chatbotId: flow.chatbotId, environment: undefined, channel: undefined }
  const zone = 'Europe/Berlin'
  for (const [days, from, to] of periods)
    for (const [name, filter] of filters)
      await measure(own, `${days}, ${name}`, { ...scope, ...filter, period: { from, to, zone } })
}

const periods = [
  ['28 days', '2026-06-01', '2026-06-28'],
  ['90 days', '2026-06-01', '2026-08-29'],
  ['half a year beside the half before', '2026-07-01', '2026-12-31'],
  ['365 days', '2026-01-01', '2026-12-31'],
] as const
const filters = [
  ['a chatbot', {}],
  ['the project', { chatbotId: null }],
  ['the project on the web', { chatbotId: null, channel: 'web' }],
  ['a chatbot on websites', { environment: 'production' as const }],
  ['a chatbot on websites, by the web', { environment: 'production' as const, channel: 'web' }],
] as const

bench('analytics', run, { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 })
