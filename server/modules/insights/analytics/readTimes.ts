import { sql } from 'kysely'
import type { Analytics, AnalyticsDetail } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { aheadOf } from '../days/spans'
import { pointsOf } from './period'
import type { Scope } from './scope'

type Times = Pick<Analytics, 'unit' | 'series'> & Pick<AnalyticsDetail, 'heat'>

interface Sums {
  conversations: number
  messages: number
  resolved: number
}
interface TimeRow extends Record<keyof Sums, string> {
  /** of the series, or of the hours of the week */
  list: 'series' | 'heat'
  /** hours since 1970-01-01, of the first hour of a point; or hours since the beginning of a Monday */
  hour: string
}

const HOUR = 3_600_000

/**
 * When conversations began, as the clocks of the period's zone show it: in its course, and in the hours of the week.
 * Both are read from the quarters of each day (`insight_courses`).
 */
export async function readTimes(db: ProjectDb, scope: Scope, before: Scope): Promise<Times> {
  const { unit, points } = pointsOf(scope.period)
  const rows = await readCourse(db, scope, unit)
  const now = byPoint(rows, unit)
  const earlier = byPoint(await readCourse(db, before, unit), unit)
  const pointsBefore = pointsOf(before.period).points
  return {
    unit,
    series: points.map((at, index) => ({
      ...{ at, ...(now.get(at) ?? nothing) },
      before: earlier.get(pointsBefore[index] ?? '')?.conversations ?? 0,
    })),
    heat: rows
      .filter(({ list, conversations }) => list === 'heat' && Number(conversations) > 0)
      .map(({ hour, conversations }) => ({
        weekday: Math.floor(Number(hour) / 24) + 1,
        hour: Number(hour) % 24,
        conversations: Number(conversations),
      }))
      .toSorted((one, other) => one.weekday - other.weekday || one.hour - other.hour),
  }
}

const nothing: Sums = { conversations: 0, messages: 0, resolved: 0 }

async function readCourse(db: ProjectDb, scope: Scope, unit: Times['unit']): Promise<TimeRow[]> {
  const { projectId, chatbotId, environment, channel, period } = scope
  const { from, to, zone } = period
  const { rows } = await sql<TimeRow>`
    with period as (
      select ${from}::date::timestamp at time zone ${zone} as starts,
        (${to}::date + 1)::timestamp at time zone ${zone} as ends),
    days as materialized (
      select day, extract(epoch from day)::bigint as midnight, ${aheadOf(sql`day`, zone)} as ahead,
        ${aheadOf(sql`(day + interval '24 hours')`, zone)} as ahead_at_end,
        extract(epoch from starts)::bigint as starts, extract(epoch from ends)::bigint as ends
      from period, generate_series(date_bin('1 day', starts, 'epoch'), ends, interval '24 hours') as day),
    hours as materialized (
      select (moment + case when ahead = ahead_at_end then ahead else ${aheadOf(sql`to_timestamp(moment)`, zone)} end) / 3600 as hour,
        sum(slots.conversations) as conversations, sum(slots.messages) as messages, sum(slots.resolved) as resolved
      from days
        cross join lateral (
          select conversations, messages, resolved from insight_courses as course
          where course.project_id = ${projectId} and course.chatbot_id = ${chatbotId ?? '0'}
            and course.environment = ${environment ?? ''} and course.channel = ${channel ?? ''} and course.day = days.day
          offset 0) as course
        cross join lateral unnest(course.conversations, course.messages, course.resolved) with ordinality
          as slots (conversations, messages, resolved, slot)
        cross join lateral (select midnight + (slot - 1) * 900 as moment) as quarter
      where slots.conversations <> 0 and moment >= starts and moment < ends
      group by 1)
    select 'series' as list, hour - hour % ${unit === 'hour' ? 1 : 24}::bigint as hour, sum(conversations) as conversations,
      sum(messages) as messages, sum(resolved) as resolved
    from hours group by 2
    union all
    -- 1970-01-01 was a Thursday
    select 'heat', (hour + 72) % 168, sum(conversations), 0, 0 from hours group by 2`.execute(db)
  return rows
}

/** The sums of the points of the series, as `pointsOf` names them. */
function byPoint(rows: readonly TimeRow[], unit: Times['unit']): Map<string, Sums> {
  const length = unit === 'hour' ? 13 : 10
  return new Map(
    rows
      .filter(({ list }) => list === 'series')
      .map(({ hour, conversations, messages, resolved }) => [
        new Date(Number(hour) * HOUR).toISOString().slice(0, length),
        { conversations: Number(conversations), messages: Number(messages), resolved: Number(resolved) },
      ]),
  )
}
