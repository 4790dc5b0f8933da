import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Analytics } from '../../../server/contracts/analytics'
import type { Drilled } from '../../api/analytics'
import { ChartCard } from '../../charts/ChartCard'
import { LineChart } from '../../charts/LineChart'

/** Points are days or hours of the chosen zone: written as they are, in no zone of the browser's. */
const inUtc = (at: string) => new Date(at.length > 10 ? `${at}:00:00Z` : `${at}T00:00:00Z`)
const format = (at: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(i18next.language, { timeZone: 'UTC', ...options }).format(inUtc(at))

interface SeriesProps {
  analytics: Analytics
  onDrill: (drilled: Drilled) => void
}

/** Conversations over time, with the period before; a point opens its conversations, where the plan has these. */
export function Series({ analytics: { series, unit, detail }, onDrill }: SeriesProps) {
  const { t } = useTranslation('analytics')
  const short = (at: string) => format(at, unit === 'hour' ? { hour: 'numeric' } : { day: 'numeric', month: 'short' })
  const long = (at: string) =>
    format(at, unit === 'hour' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'full' })
  const open = (index: number) => {
    const point = series[index]
    if (!detail || !point || point.conversations === 0) return undefined
    const [day = '', hour] = point.at.split('T')
    return () =>
      onDrill({
        figure: 'conversations',
        within: { from: day, to: day },
        ...(hour !== undefined && { hour: Number(hour) }),
        about: long(point.at),
      })
  }
  return (
    <ChartCard
      title={t('series.title')}
      svg
      table={{
        columns: [
          t(`series.${unit}`),
          t('tiles.conversations'),
          t('series.before'),
          t('tiles.messages'),
          t('series.resolved'),
        ],
        rows: series.map((point) => [
          point.at.replace('T', ' '),
          ...[point.conversations, point.before, point.messages, point.resolved],
        ]),
        opens: series.map((_, index) => open(index)),
      }}
    >
      <LineChart
        label={t('series.title')}
        now={t('tiles.conversations')}
        before={t('series.before')}
        onOpen={detail ? (index) => open(index)?.() : undefined}
        points={series.map(({ at, conversations, before }) => ({
          ...{ label: short(at), title: long(at), value: conversations, before },
        }))}
      />
    </ChartCard>
  )
}
