import type { useTranslation } from 'react-i18next'

export type Translate = ReturnType<typeof useTranslation<'analytics'>>['t']

/** What stands where there is nothing to divide. */
export const NONE = '–'

/** A part of a whole, or the average of a sum; null of nothing. */
export const averageOf = (sum: number, of: number): number | null => (of === 0 ? null : sum / of)

/** A duration in the unit that people would say it in. */
export function durationOf(seconds: number | null, t: Translate): string {
  if (seconds === null) return NONE
  if (seconds < 90) return t('tiles.seconds', { n: Math.round(seconds) })
  if (seconds < 90 * 60) return t('tiles.minutes', { n: Math.round(seconds / 60) })
  return t('tiles.hours', { n: Math.round(seconds / 3_600) })
}
