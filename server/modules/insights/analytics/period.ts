import { type RawBuilder, sql } from 'kysely'
import { type AnalyticsFilter, LONGEST_PERIOD } from '../../../contracts/analytics'
import { ApiError } from '../../../platform/errors'

const DAY = 86_400_000

export interface Period {
  /** days, inclusive */
  from: string
  to: string
  zone: string
}

/** Checks a period. @throws ApiError `invalid` for one that ends before it begins, or is too long */
export function periodOf({ from, to, zone }: Pick<AnalyticsFilter, 'from' | 'to' | 'zone'>): Period {
  const days = daysOf({ from, to })
  if (days < 1) throw new ApiError('invalid', { fields: { to: `The last day (${to}) is before the first (${from}).` } })
  if (days > LONGEST_PERIOD) throw new ApiError('invalid', { fields: { to: `Choose at most ${LONGEST_PERIOD} days.` } })
  return { from, to, zone }
}

/** The number of its days. */
export const daysOf = ({ from, to }: Pick<Period, 'from' | 'to'>): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1

const shifted = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** The period of the same length before it. */
export const periodBefore = (period: Period): Period => {
  const days = daysOf(period)
  return { ...period, from: shifted(period.from, -days), to: shifted(period.to, -days) }
}

/** Whether a moment is in the period, as the clocks of its zone show it. */
export const isWithin = (moment: RawBuilder<unknown>, { from, to, zone }: Period) =>
  sql<boolean>`${moment} >= (${from}::date::timestamp at time zone ${zone})
    and ${moment} < (${shifted(to, 1)}::date::timestamp at time zone ${zone})`

/** All points of the series: hours of up to two days, else days. */
export function pointsOf(period: Period): { unit: 'hour' | 'day'; points: string[] } {
  const days = Array.from({ length: daysOf(period) }, (_, at) => shifted(period.from, at))
  if (days.length > 2) return { unit: 'day', points: days }
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
  return { unit: 'hour', points: days.flatMap((day) => hours.map((hour) => `${day}T${hour}`)) }
}
