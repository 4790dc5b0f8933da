import { type OpenHours, opennessAt } from '../../../engine/values/openHours'
import { everyDay, type PersonalSettings, quietHours } from '../../contracts/personalNotifications'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** What is seen in the interface within this time is not mailed. */
export const SETTLE = MINUTE
/** Minutes of the day at which the daily mail goes out. */
const MORNING = 8 * 60

type Times = Pick<PersonalSettings, 'mail' | 'quiet' | 'time_zone'>

/** When a notification is mailed at the earliest: as often as the member wants mails, and not in quiet hours. */
export function mailTime({ mail, ...times }: Times, at: Date): Date {
  const after = new Date(at.getTime() + SETTLE)
  if (mail === 'hourly') return afterQuiet(times, new Date((Math.floor(after.getTime() / HOUR) + 1) * HOUR))
  if (mail === 'daily') return changeAfter(everyDay(times.time_zone, [{ from: MORNING, to: MORNING + 1 }]), after)
  return afterQuiet(times, after)
}

/** The same time, or the end of the quiet hours that it falls into. */
export function afterQuiet(times: Omit<Times, 'mail'>, at: Date): Date {
  const quiet = quietHours(times)
  return quiet && opennessAt(quiet, minuteOf(at)).open ? changeAfter(quiet, at) : at
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE)

/** When the hours begin, or end if they have begun. */
function changeAfter(hours: OpenHours, at: Date): Date {
  const { until } = opennessAt(hours, minuteOf(at))
  return until === null ? at : new Date(until * MINUTE)
}
