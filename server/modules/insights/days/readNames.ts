import { sql } from 'kysely'
import { TOP } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, type Scope } from '../analytics/scope'
import { passes } from './passes'
import { rowsIn, type Spans } from './spans'

interface Named {
  name: string
  times: number
}

/** The pages that most conversations began on. */
export const readPages = (db: ProjectDb, scope: Scope, spans: Spans): Promise<Named[]> =>
  readNames(db, scope, spans, {
    list: 'page',
    table: 'conversation_facts',
    name: sql`nullif(page, '')`,
  })

/** The sources that were used for most questions. */
export const readSources = (db: ProjectDb, scope: Scope, spans: Spans): Promise<Named[]> =>
  readNames(db, scope, spans, {
    list: 'source',
    table: 'asked_questions',
    name: sql`unnest(sources)`,
  })

interface List {
  list: 'page' | 'source'
  /** where it is counted from in days that are not rolled up */
  table: string
  name: ReturnType<typeof sql>
}

async function readNames(db: ProjectDb, scope: Scope, spans: Spans, { list, table, name }: List): Promise<Named[]> {
  const rolled = sql`${passes(scope, 'insight_names')} and list = ${list}`
  const { rows } = await sql<{ name: string; times: string }>`
    select name, sum(times) as times from (
      select name, times from ${rowsIn(spans.rolled, 'insight_names', 'day', rolled)}
      union all
      select ${name}, 1 from ${rowsIn([...spans.raw, ...spans.edges], table, 'started_at', inPlace(scope, table))}) as named
    where name is not null group by name order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map((row) => ({ name: row.name, times: Number(row.times) }))
}
