import { create } from 'zustand'
import type { StatisticsFilter } from '../../../../../server/contracts/statistics'

export const periods = ['7', '30', '90', 'all', 'custom'] as const
type Period = (typeof periods)[number]

/**
 * What of the statistics one looks at; it outlives the panel, for the marks on the canvas may stay when that closes.
 */
interface StatisticsView {
  /** the canvas shows them while the panel is open */
  drawn: boolean
  /** and when it is closed too */
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

/** Looks at all that there is, of any day, place and version. */
export const showEverything = () =>
  useStatisticsView.setState({ period: 'all', environment: null, version: null, from: '', to: '' })

/** Another chatbot begins as the first one did: its versions have other numbers. */
export const forgetStatisticsView = () => useStatisticsView.setState(atFirst, true)

/**
 * What the server is asked; the days of a period are UTC's, as the server's are. Null while the days contradict each
 * other.
 */
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
