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
import { createTestDatabase, type TestDatabase } from '../support/database'
import { insertPublishedFlow, type PublishedFlow } from '../support/publishedFlow'

/**
 * A million contacts exported, and read in each format: how long, and how much memory this process takes beyond what it
 * had.
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

bench('a million contacts', exportAll, { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 })
