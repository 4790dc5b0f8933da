/** When a snoozed conversation may come back. */
export interface SnoozeTime {
  name: 'hour' | 'evening' | 'tomorrow' | 'monday' | 'week'
  at: Date
}

const HOUR = 3_600_000
const MORNING = 9
const EVENING = 18
const DAYS = 7

/** Times to choose from, by the clock of who looks: an hour, this evening, the next mornings. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, 0, 0, 0)
  const toMonday = (DAYS + 1 - now.getDay()) % DAYS || DAYS
  const evening = at(0, EVENING)
  return [
    { name: 'hour', at: new Date(now.getTime() + HOUR) },
    ...(evening.getTime() - now.getTime() > HOUR ? [{ name: 'evening' as const, at: evening }] : []),
    { name: 'tomorrow', at: at(1, MORNING) },
    ...(toMonday > 1 && toMonday < DAYS ? [{ name: 'monday' as const, at: at(toMonday, MORNING) }] : []),
    { name: 'week', at: at(DAYS, MORNING) },
  ]
}
