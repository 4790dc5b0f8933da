import i18next from 'i18next'

const DAY = 24 * 60 * 60 * 1000

/** A number in the interface's language. */
export const formatNumber = (value: number) => new Intl.NumberFormat(i18next.language).format(value)

/** `$29` or `$950.40`. @param cents in whole cents */
export const formatMoney = (cents: number, currency: string) =>
  new Intl.NumberFormat(i18next.language, {
    ...{ style: 'currency', currency: currency.toUpperCase(), trailingZeroDisplay: 'stripIfInteger' },
  }).format(cents / 100)

/** The price of one of something, which may be small: `$0.0035`. */
export const formatUnitPrice = (price: number, currency: string) =>
  new Intl.NumberFormat(i18next.language, { style: 'currency', currency, maximumFractionDigits: 6 }).format(price)

/** A number in few characters, such as 1.2M. */
export const formatCompact = (value: number) =>
  new Intl.NumberFormat(i18next.language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)

/** A month given as YYYY-MM; `long` with its year. */
export const formatMonth = (month: string, length: 'long' | 'short') =>
  new Intl.DateTimeFormat(i18next.language, {
    month: length,
    ...(length === 'long' && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`))

/** Names in a sentence: `Ada, Bob, and Eve`. */
export const formatList = (names: readonly string[]) =>
  new Intl.ListFormat(i18next.language, { type: 'conjunction' }).format(names)

/** A model's temperature, to one decimal (SPEC.md 9). */
export const formatTemperature = (value: number) =>
  new Intl.NumberFormat(i18next.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

/** A date with the month's name: `month` long or short (SPEC.md 9). */
export const formatDate = (at: string | Date, month: 'long' | 'short' = 'short') =>
  new Intl.DateTimeFormat(i18next.language, {
    day: 'numeric',
    month,
    year: 'numeric',
  }).format(new Date(at))

/** Date and time to the minute, for tooltips. */
export const formatMoment = (at: string | Date) =>
  new Intl.DateTimeFormat(i18next.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(at))

/** The time for today, the date for earlier days. */
export function formatRecent(at: string | Date, now = new Date()): string {
  const date = new Date(at)
  if (date.toDateString() !== now.toDateString()) return formatDate(date)
  return new Intl.DateTimeFormat(i18next.language, { timeStyle: 'short' }).format(date)
}

/** Time since, as in SPEC.md 9: Today, Nd, Nm, Ny. */
export function formatSince(at: string | Date, now = new Date()): string {
  const days = Math.max(0, Math.floor((now.getTime() - new Date(at).getTime()) / DAY))
  if (days < 1) return i18next.t('since.today')
  if (days < 30) return i18next.t('since.days', { n: days })
  if (days < 365) return i18next.t('since.months', { n: Math.floor(days / 30) })
  return i18next.t('since.years', { n: Math.floor(days / 365) })
}

/** A file size in KB, MB or GB, decimal (SPEC.md 9). A non-empty file is never shown as 0. */
export function formatBytes(bytes: number): string {
  const steps = [
    ['gigabyte', 1e9],
    ['megabyte', 1e6],
    ['kilobyte', 1e3],
  ] as const
  const [unit, size] = steps.find(([, step]) => bytes >= step) ?? ['kilobyte', 1e3]
  const format = new Intl.NumberFormat(i18next.language, { style: 'unit', unit, maximumFractionDigits: 1 })
  // Intl writes kB
  return format.format(bytes === 0 ? 0 : Math.max(0.1, bytes / size)).replace('kB', 'KB')
}

/** A share as a percentage without decimals; 0 of nothing. */
export const formatShare = (part: number, whole: number): string =>
  new Intl.NumberFormat(i18next.language, { style: 'percent' }).format(whole === 0 ? 0 : part / whole)

/** A language's name by its code, in the interface's language; the code if unknown. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(i18next.language, { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
