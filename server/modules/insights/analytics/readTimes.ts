import { sql } from 'kysely'
import type { Analytics, AnalyticsDetail } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { pointsOf } from './period'
import { quartersIn, type Scope } from './scope'

type Times = Pick<Analytics, 'unit' | 'series'> & Pick<AnalyticsDetail, 'heat'>

interface TimeRow {
  /** null: a row of an hour of the week */
  at: string | null
  weekday: number
  hour: number
  conversations: string
  messages: string
  resolved: string
}

/**
 * When conversations began, as the clocks of the period's zone show it: in its course, and in the hours of the week.
 */
export async function readTimes(db: ProjectDb, scope: Scope, before: Scope): Promise<Times> {
  const { unit, points } = pointsOf(scope.period)
  const format = unit === 'hour' ? 'YYYY-MM-DD"T"HH24' : 'YYYY-MM-DD'
  const read = async (of: Scope) => {
    // telling a zone's time of a quarter takes longest: once for both, and once for all rows of the quarter
    const { rows } = await sql<TimeRow>`
      with hours as materialized (
        select date_trunc('hour', quarter at time zone ${of.period.zone}) as moment, sum(conversations) as conversations,
          sum(messages) as messages, sum(resolved) as resolved
        from (
          select quarter, sum(conversations) as conversations, sum(messages) as messages,
            sum(resolved_bot + resolved_person) as resolved
          from ${quartersIn(of)} group by 1) as quarters
        group by 1)
      select to_char(moment, ${format}) as at, 0 as weekday, 0 as hour, sum(conversations) as conversations,
        sum(messages) as messages, sum(resolved) as resolved
      from hours group by 1
      union all
      (select null, extract(isodow from moment)::int as weekday, extract(hour from moment)::int as hour, sum(conversations), 0, 0
      from hours group by 2, 3 having sum(conversations) > 0 order by 2, 3)`.execute(db)
    return rows
  }
  const rows = await read(scope)
  const now = byPoint(rows)
  const earlier = byPoint(await read(before))
  const pointsBefore = pointsOf(before.period).points
  return {
    unit,
    series: points.map((at, index) => ({
      at,
      conversations: Number(now.get(at)?.conversations ?? 0),
      messages: Number(now.get(at)?.messages ?? 0),
      resolved: Number(now.get(at)?.resolved ?? 0),
      before: Number(earlier.get(pointsBefore[index] ?? '')?.conversations ?? 0),
    })),
    heat: rows
      .filter(({ at }) => at === null)
      .map(({ weekday, hour, conversations }) => ({ weekday, hour, conversations: Number(conversations) })),
  }
}

const byPoint = (rows: readonly TimeRow[]) => new Map(rows.map((row) => [row.at, row]))
