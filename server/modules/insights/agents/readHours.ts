import { sql } from 'kysely'
import type { ProjectDb } from '../../../platform/database/database'
import { inPlace, type Scope } from '../analytics/scope'
import { passes } from '../days/passes'
import { aheadOf, gapsOf, rowsOf, type Span } from '../days/spans'

interface Month extends Span {
  /** seconds by which the zone's clocks are ahead of UTC */
  ahead: number
}

/**
 * How much members sent in a period, by `<user id> <hour>` of the clocks of its zone: of whole months of UTC without a
 * change of clocks from their sums by quarters of the day, of the rest from the rows.
 */
export async function readHours(db: ProjectDb, scope: Scope, { from, until }: Span): Promise<Map<string, number>> {
  const { zone } = scope.period
  const months = await readMonths(db, { from, until }, zone)
  const hours = sql`${passes(scope, 'agent_hours')} and month = starts`
  const gaps = gapsOf({ from, until }, months)
  const { rows } = await sql<{ user_id: string; hour: number; sent: string }>`
    with parts as materialized (
      select greatest(day, starts) as starts, least(day + interval '24 hours', ends) as ends,
        ${aheadOf(sql`day`, zone)} as ahead, ${aheadOf(sql`(day + interval '24 hours')`, zone)} as ahead_at_end
      from ${rowsOf(gaps)} cross join lateral
        generate_series(date_bin('1 day', starts, 'epoch'), ends, interval '24 hours') as day)
    select user_id, hour, sum(sent) as sent from (
      select user_id, (slot * 900 + ahead + 86400) % 86400 / 3600 as hour, sent
      from unnest(${months.map((month) => month.from.toISOString())}::timestamptz[], ${months.map(({ ahead }) => ahead)}::int[])
          as months (starts, ahead)
        cross join lateral (select * from agent_hours where ${hours} offset 0) as agent_hours
      union all
      select user_id, ((extract(epoch from quarter)::bigint + case when ahead = ahead_at_end then ahead
          else ${aheadOf(sql`quarter`, zone)} end) / 3600 % 24)::int, sent
      from parts cross join lateral (
        select user_id, quarter, sent from agent_rows
        where quarter >= starts and quarter < ends and ${inPlace(scope, 'agent_rows')} and sent <> 0 offset 0) as agent_rows
    ) as counted group by 1, 2`.execute(db)
  return new Map(rows.map(({ user_id, hour, sent }) => [`${user_id} ${hour}`, Number(sent)]))
}

/**
 * The whole months of a period in which the zone's clocks did not change, in their order. A change is seen at the next
 * midnight of UTC.
 */
async function readMonths(db: ProjectDb, { from, until }: Span, zone: string): Promise<Month[]> {
  const [starts, ends] = [sql`${from.toISOString()}::timestamptz`, sql`${until.toISOString()}::timestamptz`]
  const { rows } = await sql<Month>`
    with months as (
      select month at time zone 'UTC' as starts, (month + interval '1 month') at time zone 'UTC' as ends
      from generate_series(date_trunc('month', ${starts} at time zone 'UTC'), ${ends} at time zone 'UTC', interval '1 month') as month)
    select starts as "from", ends as until, min(ahead) as ahead
    from months cross join lateral generate_series(starts, ends, interval '24 hours') as day
      cross join lateral (select ${aheadOf(sql`day`, zone)}::int as ahead) as clocks
    where starts >= ${starts} and ends <= ${ends}
    group by starts, ends having min(ahead) = max(ahead) order by starts`.execute(db)
  return rows
}
