import { invalid } from './errors'
import type { CalendlyState, EventType } from './state'

const MINUTE = 60_000
const DAY = 86_400_000
/** The longest span that may be asked for at once. */
const LONGEST = 7 * DAY
/** Hours of a working day, in UTC. */
const OPENS = 9
const CLOSES = 17

/**
 * @returns the free starts of a kind of event: Monday to Friday from 9 to 17, without what is booked.
 * @throws a Refusal for a span that is not in the future, or too long
 */
export function freeTimes(state: CalendlyState, eventType: EventType, from: string, to: string): Date[] {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  if (Number.isNaN(start)) throw invalid('start_time', 'is not a time')
  if (Number.isNaN(end)) throw invalid('end_time', 'is not a time')
  if (start < state.clock().getTime()) throw invalid('start_time', 'must be in the future')
  if (end <= start) throw invalid('end_time', 'must be after start_time')
  if (end - start > LONGEST) throw invalid('end_time', 'must be at most 7 days after start_time')
  const step = eventType.minutes * MINUTE
  const first = Math.ceil(start / step) * step
  const all = Array.from(
    { length: Math.max(0, Math.ceil((end - first) / step)) },
    (_, at) => new Date(first + at * step),
  )
  return all.filter((time) => isFree(state, eventType, time))
}

/** @returns whether it is a working hour in the future, and nothing else is booked then */
export function isFree(state: CalendlyState, eventType: EventType, time: Date): boolean {
  const [start, end] = [time.getTime(), time.getTime() + eventType.minutes * MINUTE]
  const day = time.getUTCDay()
  const hour = time.getUTCHours() + time.getUTCMinutes() / 60
  const isOpen = day >= 1 && day <= 5 && hour >= OPENS && hour + eventType.minutes / 60 <= CLOSES
  if (!isOpen || start <= state.clock().getTime()) return false
  return !state.bookings.some(
    (booking) => booking.canceled === null && booking.start.getTime() < end && booking.end.getTime() > start,
  )
}
