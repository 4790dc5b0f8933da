/** `$29.00`, as the pages here write it. @param cents in the smallest unit */
export const writeMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).format(cents / 100)

/** `5 January 2026` @param seconds since 1970 */
export const writeDay = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
