import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Analytics } from '../../../server/contracts/analytics'
import { ChartCard } from '../../charts/ChartCard'
import { LineChart } from '../../charts/LineChart'

/** Points are days or hours of the chosen zone: written as they are, in no zone of the browser's. */
const inUtc = (at: string) => new Date(at.length > 10 ? `${at}:00:00Z` : `${at}T00:00:00Z`)
const format = (at: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(i18next.language, { timeZone: 'UTC', ...options }).format(inUtc(at))

/** Conversations over time, with the period before. */
export function Series({ analytics: { series, unit } }: { analytics: Analytics }) {
  const { t } = useTranslation('analytics')
  const short = (at: string) => format(at, unit === 'hour' ? { hour: 'numeric' } : { day: 'numeric', month: 'short' })
  const long = (at: string) =>
    format(at, unit === 'hour' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'full' })
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
      }}
    >
      <LineChart
        label={t('series.title')}
        now={t('tiles.conversations')}
        before={t('series.before')}
        points={series.map(({ at, conversations, before }) => ({
          ...{ label: short(at), title: long(at), value: conversations, before },
        }))}
      />
    </ChartCard>
  )
}
