import { VendorError } from '../calls/vendorError'

/** How times are written for a visitor. @throws VendorError refused for a time zone that does not exist */
export function createTimeWords(timeZone: string, language: string) {
  const zone = timeZone.trim() || 'UTC'
  try {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
    const words = new Intl.DateTimeFormat(localeOf(language), {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    })
    return { zone, dayOf: (time: Date) => day.format(time), label: (time: Date) => words.format(time) }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new VendorError('refused', `“${zone}” is no time zone. Enter one such as Europe/Berlin.`)
  }
}
export type TimeWords = ReturnType<typeof createTimeWords>

function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
