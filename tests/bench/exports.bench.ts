import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, bench } from 'vitest'
import { createIdSource } from '../../engine/flow/ids'
import { emptyFlow } from '../../engine/flow/schema'
import { exportFormats } from '../../server/contracts/exports'
import { downloadOf } from '../../server/modules/exports/formats/download'
import { tablesOf } from '../../server/modules/exports/formats/parts'
import { exportWriter } from '../../server/modules/exports/writeExport'
import { readAnalytics } from '../../server/modules/insights/analytics/readAnalytics'
import { createTestDatabase, type TestDatabase } from '../support/database'
import { insertPublishedFlow, type PublishedFlow } from '../support/publishedFlow'

/**
 * A million contacts exported, and read in each format: how long, and how much memory this process takes beyond what it had. Then the
 * figures of a year with a million conversations.
 */
const ROWS = 1_000_000

let database: TestDatabase
let flow: PublishedFlow
beforeAll(async () => {
  database = await createTestDatabase()
  flow = await insertPublishedFlow(database.db, emptyFlow())
}, 60_000)
afterAll(() => database.close())

/** Runs a work; prints its time and the most memory that it took. */
async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const from = performance.now()
  await work()
  clearInterval(timer)
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  console.info(`${name}: ${seconds} s, ${Math.round((most - before) / 1e6)} MB more than before`)
}

async function exportAll(): Promise<void> {
  const { db } = database
  const { projectId } = flow
  await sql`insert into contacts (gid, project_id, name, email, custom, created_at, updated_at)
    select lpad(to_hex(n), 16, '0'), ${projectId}, 'Person ' || n, 'person' || n || '@example.com',
      json_build_object('Plan', 'Pro'), now(), now() from generate_series(1, ${ROWS}) as n`.execute(db)
  const gid = createIdSource(randomBytes)()
  await sql`insert into exports (gid, project_id, kind, created_at, expires_at)
    values (${gid}, ${projectId}, 'contacts', now(), now() + interval '1 day')`.execute(db)
  const { handle } = exportWriter({ db, clock: () => new Date() })
  await measured(`${ROWS} contacts written`, async () => {
    for (let again: Date | undefined = new Date(); again; )
      again = await handle({ export: gid }, { id: '1', projectId })
  })
  const own = db.forProject(projectId)
  const row = await own.selectFrom('exports').select(['id', 'columns']).where('gid', '=', gid).executeTakeFirstOrThrow()
  for (const format of exportFormats) {
    let bytes = 0
    const sink = new Writable({
      write(chunk: Buffer, _, done) {
        bytes += chunk.length
        done()
      },
    })
    const tables = await tablesOf(own, row)
    await measured(`read as ${format}`, () => pipeline(downloadOf(tables, format).bytes, sink))
    console.info(`  ${Math.round(bytes / 1e6)} MB`)
  }
}

async function readYear(): Promise<void> {
  const { db } = database
  const { projectId, chatbotId } = flow
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = 'insight_rows' and data_type in ('integer', 'bigint') and column_name not like '%id'`.execute(db)
  const names = sql.raw(rows.map(({ name }) => name).join(', '))
  const ones = sql.raw(rows.map(() => '1').join(', '))
  await sql`insert into insight_rows (project_id, chatbot_id, environment, channel, language, quarter, ${names})
    select ${projectId}, ${chatbotId}, environment, 'web', language, quarter, ${ones}
    from generate_series(timestamptz '2026-01-01', '2026-12-31', '15 minutes') as quarter,
      unnest(array['production', 'sharing']) as environment, unnest(array['en', 'de', 'pt-br']) as language`.execute(db)
  const place = { project_id: projectId, chatbot_id: chatbotId }
  await sql`
    with added as (
      insert into conversations (gid, project_id, chatbot_id, environment, token_hash, start_client_id, visitor_hash, created_at, updated_at)
      select lpad(to_hex(n), 16, '0'), ${place.project_id}, ${place.chatbot_id}, 'sharing', '\\x00', n::text,
        int4send(n % 300000), timestamptz '2026-01-01' + n * interval '30 seconds', now()
      from generate_series(1, ${ROWS}) as n returning id, visitor_hash, created_at)
    insert into conversation_facts (conversation_id, project_id, chatbot_id, environment, channel, language, quarter, visitor, page,
      started_at, ${names})
    select id, ${place.project_id}, ${place.chatbot_id}, 'sharing', 'web', 'en', date_bin('15 minutes', created_at, 'epoch'), visitor_hash,
      'https://shop.example/' || id % 50, created_at, ${ones} from added`.execute(db)
  await sql`analyze`.execute(db)
  const scope = { projectId, chatbotId, period: { from: '2026-01-01', to: '2026-12-31', zone: 'Europe/Berlin' } }
  for (const days of [365, 28]) {
    const period = days === 365 ? scope.period : { ...scope.period, from: '2026-06-01', to: '2026-06-28' }
    const own = db.forProject(projectId)
    const whole = { ...scope, environment: undefined, channel: undefined, period }
    await readAnalytics(own, whole, { full: true, now: new Date() })
    await measured(`figures of ${days} days`, () => readAnalytics(own, whole, { full: true, now: new Date() }))
  }
}

bench('a million contacts', exportAll, { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 })
bench('a million conversations', readYear, { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 })
