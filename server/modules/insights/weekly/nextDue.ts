import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'

export interface WeeklyTime {
  /** 1 is Monday */
  weekday: number
  hour: number
  zone: string
}

/** The next time after a moment that the zone's clocks show this weekday and hour. */
export async function nextDue(db: Db, { weekday, hour, zone }: WeeklyTime, after: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select min(at) as at from generate_series(0, 8) as day, lateral (
      select (date_trunc('day', ${after}::timestamptz at time zone ${zone}) + day * interval '1 day'
        + ${hour}::int * interval '1 hour') at time zone ${zone} as at) as each
    where at > ${after}::timestamptz and extract(isodow from at at time zone ${zone}) = ${weekday}::int`.execute(db)
  const [next] = rows
  if (!next?.at) throw new Error(`No weekday ${weekday} follows ${after.toISOString()} in ${zone}`)
  return next.at
}
