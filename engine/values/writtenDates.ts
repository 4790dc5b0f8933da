import { parseDate, secondsSince1970 } from './date'
import { normalText } from './normalText'

/** A date found in a text. */
interface WrittenDate {
  /** ISO 8601 */
  date: string
  at: number
  length: number
}

/**
 * Finds dates with day, month and year in a text: `2026-11-21`, `21.11.2026`, `21/11/2026`, `21 November 2026`,
 * `Nov 21st, 2026`, `21 de noviembre de 2026`. If day and month are ambiguous (`3/4/2026`), the date is skipped, since
 * a wrong date is worse than none.
 */
export function writtenDates(text: string): WrittenDate[] {
  return [...text.matchAll(WRITTEN)]
    .flatMap((match) => {
      const date = dateOf(match.groups ?? {})
      return date === null ? [] : [{ date, at: match.index, length: match[0].length }]
    })
    .sort((a, b) => a.at - b.at)
}

/** Seconds since 1970 of a text that is one date and nothing else, with or without a time; null for any other. */
export function instantOf(text: string): number | null {
  const trimmed = text.trim()
  // ignore fractions of a second, as timestamps have them
  const moment =
    parseDate(trimmed, 'date') ?? parseDate(trimmed.replace(/(\d\d:\d\d:\d\d)\.\d{1,9}/, '$1'), 'date-time')
  if (moment !== null) return secondsSince1970(moment)
  const [only] = writtenDates(trimmed)
  return only && only.at === 0 && only.length === trimmed.length ? secondsSince1970(only.date) : null
}

function dateOf(found: Record<string, string | undefined>): string | null {
  if (found.iso !== undefined) return parseDate(found.iso, 'date')
  if (found.month1 !== undefined) return made(found.year1, monthOf(found.month1), found.day1)
  if (found.month2 !== undefined) return made(found.year2, monthOf(found.month2), found.day2)
  const [first, second] = [Number(found.first), Number(found.second)]
  // with dots and hyphens the day comes first everywhere; with slashes only if one number can't be a month
  if (found.between !== '/' || first > 12 || first === second) return made(found.year, second, found.first)
  return second > 12 ? made(found.year, first, found.second) : null
}

function made(year = '', month: number | null | undefined = null, day = ''): string | null {
  const whole = year.length === 2 ? `20${year}` : year
  return month ? parseDate(`${whole}-${two(month)}-${two(day)}`, 'date') : null
}

const two = (number: number | string): string => String(number).padStart(2, '0')

/** Languages whose month names are known, in full and short. */
const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'nb', 'tr', 'cs', 'ru', 'uk', 'id']

const plain = (name: string): string => normalText(name.toLowerCase(), 'NFD').replace(/[\p{M}.]/gu, '')

/** Month numbers by name; built on first use. */
let months: Map<string, number> | undefined

const monthOf = (name: string): number | null => {
  months ??= namesOfMonths()
  return months.get(plain(name)) ?? null
}

function namesOfMonths(): Map<string, number> {
  const names = new Map<string, number>([['sept', 9]])
  for (const locale of LOCALES) {
    for (const style of ['long', 'short'] as const) {
      // month names are inflected in dates with a day
      const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: style, timeZone: 'UTC' })
      for (let month = 0; month < 12; month++) {
        const parts = format.formatToParts((month * 30.4 + 14) * DAY)
        const key = plain(parts.find(({ type }) => type === 'month')?.value ?? '')
        if (/^\p{L}{3,}$/u.test(key) && !names.has(key)) names.set(key, month + 1)
      }
    }
  }
  return names
}

/** in milliseconds */
const DAY = 86_400_000

const YEAR = String.raw`\d{4}`
const OF = String.raw`(?:\s+(?:of|de|del))?`
const WRITTEN = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/-])(?:` +
    [
      String.raw`(?<iso>\d{4}-\d{2}-\d{2})`,
      String.raw`(?<first>\d{1,2})(?<between>[./-])(?<second>\d{1,2})\k<between>(?<year>${YEAR}|\d{2})`,
      String.raw`(?<day1>\d{1,2})(?:\.|st|nd|rd|th|er|º)?${OF}[ -]+(?<month1>\p{L}{3,12}\p{M}*\.?),?${OF}[ -]+(?<year1>${YEAR})`,
      String.raw`(?<month2>\p{L}{3,12}\.?)\s+(?:the\s+)?(?<day2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year2>${YEAR})`,
    ].join('|') +
    String.raw`)(?![\p{L}\p{N}]|[.,/-]\d)`,
  'gu',
)
