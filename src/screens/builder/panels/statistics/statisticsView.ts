import { create } from 'zustand'
import type { StatisticsFilter } from '../../../../../server/contracts/statistics'

export const periods = ['7', '30', '90', 'all', 'custom'] as const
type Period = (typeof periods)[number]

/** The statistics' view state; it outlives the panel, since the marks on the canvas may stay. */
interface StatisticsView {
  /** shown on the canvas while the panel is open */
  drawn: boolean
  /** also shown when it is closed */
  pinned: boolean
  period: Period
  /** of a custom period: YYYY-MM-DD, or '' for an open end */
  from: string
  to: string
  environment: StatisticsFilter['environment'] | null
  version: number | null
}

const atFirst: StatisticsView = {
  drawn: true,
  pinned: false,
  period: '30',
  from: '',
  to: '',
  environment: null,
  version: null,
}
export const useStatisticsView = create<StatisticsView>(() => atFirst)

/** Clears all filters. */
export const showEverything = () =>
  useStatisticsView.setState({ period: 'all', environment: null, version: null, from: '', to: '' })

/** Resets the view for another chatbot, whose versions have other numbers. */
export const forgetStatisticsView = () => useStatisticsView.setState(atFirst, true)

/** The route's filter; days are UTC, as on the server. Null while the period is invalid. */
export function filterOf(view: StatisticsView, now: Date): StatisticsFilter | null {
  const { period, environment, version } = view
  const days =
    period === 'custom'
      ? { ...(view.from && { from: view.from }), ...(view.to && { to: view.to }) }
      : period === 'all'
        ? {}
        : { from: dayBefore(now, Number(period) - 1), to: undefined }
  if (days.from && days.to && days.from > days.to) return null
  return { ...days, ...(environment && { environment }), ...(version !== null && { version }) }
}

const DAY = 24 * 60 * 60_000
const dayBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY).toISOString().slice(0, 10)
