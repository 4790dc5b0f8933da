const DAY = 86_400_000

/** From a day to before another, as they are written; null: since ever, or for ever. */
export interface Days {
  from: string | null
  until: string | null
}

/**
 * Divides days into whole months, which are read from sums by months, and what is before and after these.
 * @param period inclusive
 */
export function monthsIn({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  months: Days | null
  days: Days[]
} {
  const until = to === undefined ? null : written(Date.parse(to) + DAY)
  const first = from === undefined ? null : nextMonth(from)
  const last = until && `${until.slice(0, 8)}01`
  if (first !== null && last !== null && first >= last) return { months: null, days: [{ from: from ?? null, until }] }
  const before = { from: from ?? null, until: first }
  const after = { from: last, until }
  return { months: { from: first, until: last }, days: [before, after].filter((days) => days.from !== days.until) }
}

const written = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The first day of a month that is not before a day. */
function nextMonth(day: string): string {
  if (day.endsWith('-01')) return day
  return written(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1))
}
