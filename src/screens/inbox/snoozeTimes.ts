import { LONGEST_SNOOZE_DAYS } from '../../../server/contracts/inbox'

/** When a snoozed conversation may come back. */
export interface SnoozeTime {
  name: 'hour' | 'evening' | 'tomorrow' | 'monday' | 'week'
  at: Date
}

const HOUR = 3_600_000
const MORNING = 9
const EVENING = 18
const DAYS = 7

/** A day by the clock of who looks, at an hour. */
const dayAt = (now: Date, days: number, hour: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, 0, 0, 0)

/** Times to choose from, by the clock of who looks: an hour, this evening, the next mornings. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const toMonday = (DAYS + 1 - now.getDay()) % DAYS || DAYS
  const evening = dayAt(now, 0, EVENING)
  return [
    { name: 'hour', at: new Date(now.getTime() + HOUR) },
    ...(evening.getTime() - now.getTime() > HOUR ? [{ name: 'evening' as const, at: evening }] : []),
    { name: 'tomorrow', at: dayAt(now, 1, MORNING) },
    ...(toMonday > 1 && toMonday < DAYS ? [{ name: 'monday' as const, at: dayAt(now, toMonday, MORNING) }] : []),
    { name: 'week', at: dayAt(now, DAYS, MORNING) },
  ]
}

/** What a field for a time of one's own begins with: tomorrow morning, as the field has it. */
export const firstMoment = (now: Date): string => localMoment(dayAt(now, 1, MORNING))

/** A moment as a field for date and time has it: by the clock of who looks, without a zone. */
export function localMoment(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The latest moment that the server takes. */
export const latestMoment = (now: Date): Date => new Date(now.getTime() + LONGEST_SNOOZE_DAYS * 24 * HOUR)

/** The moment that a field for date and time says, or why a conversation can't be snoozed until then. */
export function momentOf(value: string, now: Date): { at: Date } | { problem: 'missing' | 'past' | 'late' } {
  // without a zone a date with a time is local
  const at = new Date(value)
  if (!/^\d{4}-\d{2}-\d{2}T/.test(value) || Number.isNaN(at.getTime())) return { problem: 'missing' }
  if (at.getTime() <= now.getTime()) return { problem: 'past' }
  return at.getTime() > latestMoment(now).getTime() ? { problem: 'late' } : { at }
}
