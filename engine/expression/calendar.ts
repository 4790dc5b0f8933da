import { ExpressionError } from './problem'

/**
 * A point in time as UTC parts and as `milliseconds` since 1970. The engine has no clock and needs no `Date` for this.
 */
export interface Moment {
  milliseconds: number
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** Monday is 1, Sunday 7 */
  weekday: number
  /** the text was a date without a time */
  dayOnly: boolean
}

const DAY = 86_400_000
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Days since 1970 in the Gregorian calendar (counted in eras of 400 years from 1 March). */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const ofEra = shifted - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
}

export const daysInMonth = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31

/** Parses an ISO 8601 date (`2026-11-21`, `2026-11-21T10:00:00Z`). Throws ExpressionError for anything else. */
export function parseMoment(text: string): Moment {
  const [, ...found] = ISO.exec(text.trim()) ?? []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(0, 6)
    .map((part) => Number(part ?? 0))
  const possible = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  if (found.length === 0 || !possible || hour > 23 || minute > 59 || second > 59) {
    throw new ExpressionError(`“${text.slice(0, 40)}” is not a date such as 2026-11-21`)
  }
  const zone = /([+-])(\d{2}):?(\d{2})/.exec(found[7] ?? '')
  const ahead = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0
  const fraction = Number(`0.${found[6] ?? 0}`)
  const seconds = (hour * 60 + minute - ahead) * 60 + second
  return momentOf(
    daysOf(year, month, day) * DAY + seconds * 1_000 + Math.floor(fraction * 1_000),
    found[3] === undefined,
  )
}

/** Throws ExpressionError outside the years 1 to 9999. */
export function momentOf(milliseconds: number, dayOnly = false): Moment {
  const whole = Math.floor(milliseconds)
  if (!(whole >= -62_135_596_800_000 && whole <= 253_402_300_799_999))
    throw new ExpressionError('The date is too far away')
  const days = Math.floor(whole / DAY)
  const rest = Math.floor((whole - days * DAY) / 1_000)
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const years = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100))
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153)
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return {
    milliseconds: whole,
    year: years + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(rest / 3_600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: ((((days + 3) % 7) + 7) % 7) + 1,
    dayOnly,
  }
}

const pad = (number: number, length = 2): string => String(number).padStart(length, '0')

/** As ISO 8601; a date without a time stays one. */
export function printMoment(moment: Moment): string {
  const { year, month, day, hour, minute, second, milliseconds, dayOnly } = moment
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  const thousandths = pad(((milliseconds % 1_000) + 1_000) % 1_000, 3)
  return dayOnly ? date : `${date}T${pad(hour)}:${pad(minute)}:${pad(second)}.${thousandths}Z`
}

/** The local time of the moment in a zone. Throws ExpressionError for an unknown zone. */
export function inZone(moment: Moment, zone: string): Moment {
  try {
    const shown = formatterOf(zone).formatToParts(moment.milliseconds)
    const part = (type: string): number => Number(shown.find((piece) => piece.type === type)?.value ?? 0)
    const seconds = (part('hour') * 60 + part('minute')) * 60 + part('second')
    return momentOf(daysOf(part('year'), part('month'), part('day')) * DAY + seconds * 1_000)
  } catch {
    throw new ExpressionError(`The time zone “${zone.slice(0, 40)}” is not known: write one such as Europe/Berlin`)
  }
}

/** Formatters by zone, at most `MOST_FORMATTERS`: creating one takes six times as long as the rest of `inZone`. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATTERS = 20

/** Returns the zone's formatter. Throws RangeError for an unknown zone. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const present = formatters.get(zone)
  if (present) return present
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formatters.size >= MOST_FORMATTERS) formatters.clear()
  formatters.set(zone, made)
  return made
}

/** Replaces the tokens of `YYYY-MM-DD HH:mm:ss`, longest first; `D`, `M`, `H` have no leading zero. */
export function formatMoment(moment: Moment, pattern: string): string {
  const values: Record<string, string> = {
    YYYY: pad(moment.year, 4),
    MM: pad(moment.month),
    M: String(moment.month),
    DD: pad(moment.day),
    D: String(moment.day),
    HH: pad(moment.hour),
    H: String(moment.hour),
    mm: pad(moment.minute),
    ss: pad(moment.second),
  }
  return pattern.slice(0, 200).replace(/YYYY|MM?|DD?|HH?|mm|ss/g, (token) => values[token] ?? token)
}

export const addDays = (moment: Moment, days: number): Moment =>
  momentOf(moment.milliseconds + days * DAY, moment.dayOnly)

/** Adds months; a day that the month lacks becomes its last day. */
export function addMonths(moment: Moment, months: number): Moment {
  const count = moment.year * 12 + moment.month - 1 + Math.trunc(months)
  const year = Math.floor(count / 12)
  const month = (((count % 12) + 12) % 12) + 1
  const day = Math.min(moment.day, daysInMonth(year, month))
  const ofDay = moment.milliseconds - daysOf(moment.year, moment.month, moment.day) * DAY
  return momentOf(daysOf(year, month, day) * DAY + ofDay, moment.dayOnly)
}

export const daysBetween = (from: Moment, to: Moment): number =>
  Math.floor(to.milliseconds / DAY) - Math.floor(from.milliseconds / DAY)
