import { startOfMonth } from './months'

const DAY = 24 * 3_600_000

export interface Forecast {
  /** used by the month's end if it goes on like this; null: the month is too young to tell */
  byMonthEnd: number | null
  /** when nothing will be left; null: not in this month */
  runsOut: Date | null
}

/** What a month's use (UTC) comes to at the pace of its days so far. @param max what the month has */
export function forecastOf({ used, max }: { used: number; max: number }, at: Date): Forecast {
  const start = startOfMonth(at).getTime()
  const passed = at.getTime() - start
  // one busy morning says nothing of a month
  if (passed < DAY) return { byMonthEnd: null, runsOut: null }
  const byMonthEnd = (used / passed) * (startOfMonth(at, 1).getTime() - start)
  const isLeft = used < max && byMonthEnd > max
  return {
    byMonthEnd: Math.round(byMonthEnd * 100) / 100,
    runsOut: isLeft ? new Date(start + (passed * max) / used) : null,
  }
}
