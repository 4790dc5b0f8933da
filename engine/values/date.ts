export const dateModes = ['date', 'time', 'date-time'] as const
export type DateMode = (typeof dateModes)[number]

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const OFFSET = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * Parses an ISO 8601 date, time, or both: `2026-11-21`, `09:30`, `2026-11-21T09:30` (a space may replace the T, seconds
 * may follow, an offset may end it: `+01:00`, `Z`). Only existing days.
 * @returns the canonical text (seconds only if not zero), or null
 */
export function parseDate(input: string, mode: DateMode): string | null {
  const text = input.trim().toUpperCase()
  if (mode === 'date') return isDay(text) ? text : null
  if (mode === 'time') return shortTime(text)
  const day = text.slice(0, 10)
  const rest = text.slice(11)
  const offset = OFFSET.exec(rest)?.[0] ?? ''
  const time = shortTime(rest.slice(0, rest.length - offset.length))
  return isDay(day) && time && /[T ]/.test(text.charAt(10)) ? `${day}T${time}${offset}` : null
}

function isDay(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number)
  if (!year || !month || !day || month > 12) return false
  return day <= (month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function shortTime(text: string): string | null {
  if (!TIME.test(text)) return null
  return text.endsWith(':00') && text.length === 8 ? text.slice(0, 5) : text
}

/** Seconds since midnight of a text that is only a time of day, otherwise null. */
export function timeOfDay(text: string): number | null {
  const [, hour, minute, second = '0'] = TIME.exec(text.trim()) ?? []
  return hour === undefined ? null : (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
}

/** Seconds since 1970 of a date or date with time from `parseDate`; without an offset, UTC is assumed. */
export function secondsSince1970(date: string): number {
  const offset = OFFSET.exec(date.slice(10))?.[0]
  const seconds = Number(/^\d\d:\d\d:(\d\d)/.exec(date.slice(11))?.[1] ?? 0)
  return (minutesOf(date) - (offset === undefined ? 0 : offsetMinutes(offset))) * 60 + seconds
}

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/**
 * Adds a zone's UTC offset to a local date with time: `2026-11-21T09:30+01:00`. An hour that occurs twice when clocks
 * are put back means the first one.
 * @param dateTime from `parseDate`: without an offset it is the zone's local time
 */
export function inTimeZone(dateTime: string, zone: string): string {
  const given = OFFSET.exec(dateTime)?.[0]
  const clock = minutesOf(dateTime)
  const offset = given === undefined ? offsetOfClock(clock, zone) : offsetAt(clock - offsetMinutes(given), zone)
  const local = given === undefined ? dateTime : clockOf(clock - offsetMinutes(given) + offset) + secondsOf(dateTime)
  const size = Math.abs(offset)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** The current local time in a zone, without offset. @param instant ISO 8601 in UTC */
export const clockIn = (instant: string, zone: string): string => {
  const minutes = minutesOf(instant)
  return clockOf(minutes + offsetAt(minutes, zone))
}

/** The local time, without its offset. */
export const withoutOffset = (dateTime: string): string => dateTime.replace(OFFSET, '')

const secondsOf = (dateTime: string): string => withoutOffset(dateTime).slice(16)

const two = (number: number): string => String(number).padStart(2, '0')

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}

/** The UTC offset of a local time; if there are two, the one before the change. */
function offsetOfClock(clock: number, zone: string): number {
  const before = offsetAt(clock - DAY, zone)
  return offsetAt(clock - before, zone) === before ? before : offsetAt(clock - offsetAt(clock + DAY, zone), zone)
}

export const DAY = 24 * 60

/**
 * A zone's UTC offset in minutes at an instant, given in minutes since 1970. Early local times had offsets in seconds,
 * and another calendar: times before 1900 use the offset of that year.
 */
export function offsetAt(when: number, zone: string): number {
  const instant = Math.max(when, daysOf(1900, 1, 1) * DAY)
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant * 60_000)
      .map(({ type, value }) => [type, value]),
  )
  return (
    minutesOf(`${String(parts.year).padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`) -
    instant
  )
}

/** The formats of the zones that were asked last: to make one takes longer than all that is done with it. */
const formats = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATS = 50

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(zone, made)
  return made
}

/** Minutes since 1970 of a local time. */
export function minutesOf(dateTime: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = dateTime.slice(0, 16).split(/[-T:]/).map(Number)
  return daysOf(year, month, day) * DAY + hour * 60 + minute
}

/** Days since 1970-01-01 in the Gregorian calendar; years start in March, so that a leap day is the last day. */
function daysOf(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const yearDay = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + yearDay - 719_468
}

/** The inverse of `minutesOf`. */
function clockOf(minutes: number): string {
  const days = Math.floor(minutes / DAY)
  let year = Math.floor(days / 365.2425) + 1970
  while (daysOf(year, 1, 1) > days) year--
  while (daysOf(year + 1, 1, 1) <= days) year++
  let month = 12
  while (daysOf(year, month, 1) > days) month--
  const day = days - daysOf(year, month, 1) + 1
  const rest = minutes - days * DAY
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}`
}
