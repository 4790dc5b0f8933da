import { sql } from 'kysely'
import { isTimeZone } from '../../../../engine/values/date'
import type { ProjectDb } from '../../../platform/database/database'

/** Names of zones that a machine has where nobody has set one: they say nothing about where people are. */
const UNSET = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT'])

/**
 * The day of the week where a project is, Monday 0: by the time zone of its office hours, else by that of this machine.
 * Null where neither is set: a wrong day's hours are worse than none.
 */
export async function todayOf(db: ProjectDb, projectId: string, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom('inbox_settings')
    .select(sql<string | null>`office -> 'hours' ->> 'time_zone'`.as('zone'))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const zone = row?.zone ?? machineZone()
  return zone === null || !isTimeZone(zone) ? null : dayIn(zone, now)
}

function machineZone(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return UNSET.has(timeZone) ? null : timeZone
}

const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Monday is 0. */
export const dayIn = (timeZone: string, now: Date): number =>
  NAMES.indexOf(new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' }).format(now))
