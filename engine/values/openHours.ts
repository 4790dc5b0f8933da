import { DAY, minutesOf, offsetAt } from './date'

/** Minutes of a day by the clock on the wall: open from `from` until just before `to`, which is at most 1440. */
export interface Hours {
  from: number
  to: number
}

export interface OpenHours {
  time_zone: string
  /** seven days, Monday first */
  week: readonly (readonly Hours[])[]
  /** days that are otherwise, as `2026-12-25`; no hours: closed all day */
  exceptions: readonly { date: string; hours: readonly Hours[] }[]
}

export interface Openness {
  open: boolean
  /** the minute (since 1970, UTC) at which it is no longer so; null: it stays */
  until: number | null
}

/** Monday. */
const FIRST_DAY = 4
const WEEK = 7

/**
 * Whether it is open at an instant, and until when that stays. What counts is what the zone's clocks show: in an hour
 * that comes twice a year both are open, and one that is left out takes nothing along.
 * @param instant minutes since 1970, UTC
 */
export function opennessAt(hours: OpenHours, instant: number): Openness {
  const zone = hours.time_zone
  const days = hoursByDay(hours)
  const isOpenAt = (clock: number) => isWithin(days(Math.floor(clock / DAY)), clock)
  const open = isOpenAt(instant + offsetAt(instant, zone))
  const today = Math.floor((instant + offsetAt(instant, zone)) / DAY)
  for (const day of daysToLookAt(hours, today)) {
    const until = changesOf(day, days, zone).find(
      (change) => change > instant && isOpenAt(change + offsetAt(change, zone)) !== open,
    )
    if (until !== undefined) return { open, until }
  }
  return { open, until: null }
}

/** Changes between open and closed that are looked at for one deadline. */
const MOST_CHANGES = 100

/**
 * The minute at which so many minutes of open time have passed. Where they take more than 100 changes of the hours, it
 * is the last of those; null: it never opens again.
 * @param instant minutes since 1970, UTC
 */
export function afterOpenMinutes(hours: OpenHours, instant: number, minutes: number): number | null {
  let at = instant
  let left = minutes
  for (let change = 0; change < MOST_CHANGES; change++) {
    const { open, until } = opennessAt(hours, at)
    if (open && (until === null || until - at >= left)) return at + left
    if (until === null) return null
    if (open) left -= until - at
    at = until
  }
  return at
}

/**
 * The first pair of hours of a day that overlap, or one that ends before it begins, by its place; null: all is well.
 */
export function clashOf(hours: readonly Hours[]): number | null {
  const place = hours.findIndex(
    ({ from, to }, index) =>
      to <= from || hours.some((other, before) => before < index && from < other.to && other.from < to),
  )
  return place < 0 ? null : place
}

const isWithin = (hours: readonly Hours[], clock: number): boolean => {
  const minute = ((clock % DAY) + DAY) % DAY
  return hours.some(({ from, to }) => from <= minute && minute < to)
}

/** The hours of a day since 1970. */
function hoursByDay({ week, exceptions }: OpenHours): (day: number) => readonly Hours[] {
  const otherwise = new Map(exceptions.map(({ date, hours }) => [dayOf(date), hours]))
  return (day) => otherwise.get(day) ?? week[(((day - FIRST_DAY) % WEEK) + WEEK) % WEEK] ?? []
}

const dayOf = (date: string): number => minutesOf(`${date}T00:00`) / DAY

/**
 * In order: a week from today, and the weeks after each exception, which are only sorted once the first week is over.
 * On all other days it is as a week before.
 */
function* daysToLookAt({ exceptions }: OpenHours, today: number): Generator<number> {
  const weekFrom = (day: number) => Array.from({ length: WEEK + 2 }, (_, after) => day + after)
  const near = weekFrom(today)
  yield* near
  const far = exceptions.map(({ date }) => dayOf(date)).filter((day) => day > today)
  const rest = new Set(far.flatMap(weekFrom))
  for (const day of near) rest.delete(day)
  yield* [...rest].sort((a, b) => a - b)
}

/** The instants of a day at which it may open or close, in order: its hours' ends, and a change of the clock. */
function changesOf(day: number, days: (day: number) => readonly Hours[], zone: string): number[] {
  const [begins, ends] = [offsetAt(day * DAY - DAY, zone), offsetAt(day * DAY + 2 * DAY, zone)]
  const offsets = new Set([begins, ends])
  const clocks = new Set([0, ...days(day).flatMap(({ from, to }) => [from, to])])
  const instants = [...clocks].flatMap((minute) => [...offsets].map((offset) => day * DAY + minute - offset))
  if (begins !== ends) instants.push(changeOfClock(day * DAY - DAY, day * DAY + 2 * DAY, zone))
  return instants.sort((a, b) => a - b)
}

/** The minute between two at which the zone's clocks are put forward or back. */
function changeOfClock(before: number, after: number, zone: string): number {
  const offset = offsetAt(before, zone)
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle, zone) === offset) low = middle
    else high = middle
  }
  return high
}
