import { ChartNoAxesCombined, Lock, Pin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type FlowStatistics, LEFT_AFTER_MINUTES } from '../../../../server/contracts/statistics'
import { failureText } from '../../../api/failure'
import { formatNumber } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { EmptyState } from '../../../ui/EmptyState'
import { ErrorCard } from '../../../ui/ErrorCard'
import { IconButton } from '../../../ui/IconButton'
import { LoadingState } from '../../../ui/LoadingState'
import { Switch } from '../../../ui/Switch'
import { PanelHeader } from './PanelHeader'
import styles from './StatisticsPanel.module.css'
import { StatisticsFilters } from './statistics/StatisticsFilters'
import { StatisticsTable } from './statistics/StatisticsTable'
import { showEverything, useStatisticsView } from './statistics/statisticsView'
import { useStatistics } from './statistics/useStatistics'

/** How far visitors get and where they leave: as numbers here, and on the canvas. */
export function StatisticsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('statistics')
  const { allowed } = useStatistics({ wanted: false })
  return (
    <>
      <PanelHeader title={t('title')} close={t('close')} onClose={onClose} actions={allowed && <Drawing />} />
      <div className={styles.body}>
        {allowed ? (
          <Numbers onClose={onClose} />
        ) : (
          <EmptyState icon={<Lock size={20} />} title={t('forbidden')} message={t('forbiddenHint')} />
        )}
      </div>
    </>
  )
}

/** Whether the canvas shows them, and for how long. */
function Drawing() {
  const { t } = useTranslation('statistics')
  const { drawn, pinned } = useStatisticsView()
  return (
    <>
      <Switch
        size="xs"
        label={t('draw')}
        checked={drawn}
        onChange={({ currentTarget: { checked } }) =>
          useStatisticsView.setState({ drawn: checked, pinned: checked && pinned })
        }
      />
      <IconButton
        size="s"
        label={t(pinned ? 'unpin' : 'pin')}
        icon={<Pin size={14} />}
        aria-pressed={pinned}
        active={pinned}
        disabled={!drawn}
        onClick={() => useStatisticsView.setState({ pinned: !pinned })}
      />
    </>
  )
}

function Numbers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('statistics')
  const { query, contradiction } = useStatistics({ wanted: true })
  const { data, isPending, isError, error, refetch } = query
  return (
    <>
      <StatisticsFilters versions={data?.versions ?? []} contradiction={contradiction} />
      {!contradiction && isPending && <LoadingState rows={4} height={36} />}
      {isError && (
        <ErrorCard
          message={failureText(error, t('failed'))}
          action={{ label: t('again'), onClick: () => void refetch() }}
        />
      )}
      {data && !isError && !contradiction && (
        <div className={styles.numbers} aria-busy={query.isPlaceholderData || undefined}>
          {data.totals.conversations === 0 ? <Nothing ever={data.versions.length > 0} /> : <Totals {...data} />}
          {data.totals.conversations > 0 && <StatisticsTable statistics={data} onLeave={onClose} />}
        </div>
      )}
    </>
  )
}

function Nothing({ ever }: { ever: boolean }) {
  const { t } = useTranslation('statistics')
  return (
    <EmptyState
      icon={<ChartNoAxesCombined size={20} />}
      title={t(ever ? 'noneHere' : 'none')}
      message={t(ever ? 'noneHereHint' : 'noneHint')}
      action={
        ever && (
          <Button size="s" onClick={showEverything}>
            {t('everything')}
          </Button>
        )
      }
    />
  )
}

function Totals({ totals, left_elsewhere }: FlowStatistics) {
  const { t } = useTranslation('statistics')
  const { conversations, completed, left, median_replies } = totals
  const figures = [
    ['conversations', conversations],
    ['completed', completed],
    ['left', left],
    ['open', conversations - completed - left],
    ['replies', median_replies ?? 0],
  ] as const
  return (
    <section aria-label={t('totals')}>
      <dl className={styles.totals}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.hint}>{t('hint', { minutes: LEFT_AFTER_MINUTES })}</p>
      {left_elsewhere > 0 && <p className={styles.hint}>{t('elsewhere', { count: left_elsewhere })}</p>}
    </section>
  )
}
