import { sql } from 'kysely'
import { TOP } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, type Scope } from '../analytics/scope'
import { passes } from './passes'
import { rowsOf, type Spans } from './spans'

interface Named {
  name: string
  times: number
}

/** The pages that most conversations began on. */
export const readPages = (db: ProjectDb, scope: Scope, spans: Spans): Promise<Named[]> =>
  readNames(db, scope, spans, {
    list: 'page',
    table: 'conversation_facts',
    name: sql`nullif(facts.page, '')`,
  })

/** The sources that were used for most questions. */
export const readSources = (db: ProjectDb, scope: Scope, spans: Spans): Promise<Named[]> =>
  readNames(db, scope, spans, {
    list: 'source',
    table: 'asked_questions',
    name: sql`unnest(facts.sources)`,
  })

interface List {
  list: 'page' | 'source'
  /** where it is counted from in days that are not rolled up */
  table: string
  name: ReturnType<typeof sql>
}

async function readNames(db: ProjectDb, scope: Scope, spans: Spans, { list, table, name }: List): Promise<Named[]> {
  const { rows } = await sql<{ name: string; times: string }>`
    select name, sum(times) as times from (
      select rolled.name, rolled.times
      from ${rowsOf(spans.rolled)} join insight_names as rolled on rolled.day >= starts and rolled.day < ends
      where ${passes(scope, 'rolled')} and rolled.list = ${list}
      union all
      select ${name}, 1
      from ${rowsOf([...spans.raw, ...spans.edges])} join ${sql.table(table)} as facts
        on facts.started_at >= starts and facts.started_at < ends
      where ${inPlace(scope, 'facts')}) as named
    where name is not null group by name order by 2 desc, 1 limit ${TOP}`.execute(db)
  return rows.map((row) => ({ name: row.name, times: Number(row.times) }))
}
