import { type RawBuilder, sql } from 'kysely'
import type { ProjectDb } from '../../../platform/database/database'
import type { Period } from '../analytics/period'

const DAY = 86_400_000

/** From a moment to before another. */
export interface Span {
  from: Date
  until: Date
}

/** Where the parts of a period are read. */
export interface Spans extends Span {
  /** its whole days of UTC; null: it has none */
  days: Span | null
  /** what is before and after them */
  edges: Span[]
  /** days that are rolled up */
  rolled: Span[]
  /** the rest of the whole days */
  raw: Span[]
}

/** Divides a period into what is read from days and what is read from rows. */
export async function readSpans(
  db: ProjectDb,
  { projectId, period }: { projectId: string; period: Period },
): Promise<Spans> {
  const { from, to, zone } = period
  const { rows } = await sql<Span & { rolled: Date[] }>`
    with period as (
      select ${from}::date::timestamp at time zone ${zone} as starts,
        (${to}::date + 1)::timestamp at time zone ${zone} as ends)
    select starts as "from", ends as until, array(
      select day from insight_rolled as rolled
      where project_id = ${projectId} and day >= starts and day + interval '24 hours' <= ends
        and not exists (select from insight_changes as changed
          where changed.project_id = rolled.project_id and changed.day = rolled.day)
      order by day) as rolled
    from period`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A query without a table gave no row')
  return divide(row, row.rolled)
}

/** @param rolled the days of it that are rolled up, in their order */
function divide({ from, until }: Span, rolled: readonly Date[]): Spans {
  const first = Math.ceil(from.getTime() / DAY) * DAY
  const end = Math.floor(until.getTime() / DAY) * DAY
  if (first >= end) return { from, until, days: null, edges: [{ from, until }], rolled: [], raw: [] }
  const days = { from: new Date(first), until: new Date(end) }
  const joined = joinDays(rolled)
  return {
    ...{ from, until, days, rolled: joined },
    edges: [
      { from, until: days.from },
      { from: days.until, until },
    ].filter(isLong),
    raw: gapsOf(days, joined),
  }
}

const isLong = ({ from, until }: Span): boolean => from < until

function joinDays(days: readonly Date[]): Span[] {
  const spans: Span[] = []
  for (const from of days) {
    const until = new Date(from.getTime() + DAY)
    const last = spans.at(-1)
    if (last?.until.getTime() === from.getTime()) last.until = until
    else spans.push({ from, until })
  }
  return spans
}

/** What of a span is in none of some others, which are in it, in their order. */
export function gapsOf({ from, until }: Span, spans: readonly Span[]): Span[] {
  const starts = [from, ...spans.map((span) => span.until)]
  const ends = [...spans.map((span) => span.from), until]
  return starts.map((start, at) => ({ from: start, until: ends[at] ?? until })).filter(isLong)
}

/**
 * Rows of a table in spans, under the table's own name. Each span is read by itself: PostgreSQL, which takes them for a
 * large part of everything, would else read the whole table for a few hours of it.
 * @param moment the column that says when
 * @param condition which of them, over the table's name
 */
export const rowsIn = (spans: readonly Span[], table: string, moment: string, condition: RawBuilder<unknown>) =>
  sql`${rowsOf(spans)} cross join lateral (
    select * from ${sql.table(table)} where ${sql.ref(moment)} >= starts and ${sql.ref(moment)} < ends and ${condition}
    offset 0) as ${sql.table(table)}`

/** Spans as a table of `starts` and `ends`. */
export const rowsOf = (spans: readonly Span[]) => sql`unnest(
  ${spans.map(({ from }) => from.toISOString())}::timestamptz[],
  ${spans.map(({ until }) => until.toISOString())}::timestamptz[]) as span (starts, ends)`

/** The seconds by which the clocks of a zone are ahead of UTC at a moment. Takes long: once a day, not once a row. */
export const aheadOf = (moment: RawBuilder<unknown>, zone: string) =>
  sql`extract(epoch from (${moment} at time zone ${zone}) - (${moment} at time zone 'UTC'))::bigint`
