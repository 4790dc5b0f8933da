import i18next from 'i18next'

/** 1970-01-05, a Monday. */
const MONDAY = Date.UTC(1970, 0, 5)
const DAY = 86_400_000
const WEEK = 6 * DAY

/** The name of a day of the week, Monday first. */
export const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(i18next.language, { weekday: 'long', timeZone: 'UTC' }).format(MONDAY + day * DAY)

/**
 * A weekday and a time by a zone's clock, with the date where that is more than a week away. @param minute since 1970,
 * UTC
 */
export function momentIn(language: string, minute: number, timeZone: string): string {
  const at = minute * 60_000
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    ...(at - Date.now() > WEEK && { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at)
}
