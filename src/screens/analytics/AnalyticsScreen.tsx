import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, Mail } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { analyticsQuery } from '../../api/analytics'
import { failureText } from '../../api/failure'
import { Tiles } from '../../charts/Tiles'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import styles from './analytics.module.css'
import { Charts } from './Charts'
import { Cost } from './Cost'
import { DrillDialog } from './DrillDialog'
import { Filters } from './Filters'
import { LockedCharts } from './LockedCharts'
import { Series } from './Series'
import { useFilter } from './useFilter'
import { useOpened } from './useOpened'
import { WeeklyMailDialog } from './WeeklyMailDialog'

/**
 * /projects/:pgid/chatbots/:cgid/analytics, and /projects/:pgid/analytics for all chatbots: figures of a period beside
 * the one before it, each with the conversations that it counts.
 */
export function AnalyticsScreen() {
  const { t } = useTranslation('analytics')
  const { t: common } = useTranslation()
  const { pgid = '', cgid } = useParams()
  const { filter, preset, change } = useFilter(cgid)
  const isWrong = filter.from > filter.to
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...analyticsQuery(pgid, filter), enabled: !isWrong })
  const { drilled, setDrilled, weekly, openWeekly, close } = useOpened()
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t(cgid ? 'description' : 'projectDescription')}
        actions={
          <Button icon={<Mail />} onClick={openWeekly}>
            {t('weekly.title')}
          </Button>
        }
      />
      <Filters filter={filter} preset={preset} onChange={change} channels={data?.detail?.channels ?? []} />
      {isWrong ? null : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={4} height={96} />
      ) : data.now.conversations === 0 && data.before.conversations === 0 ? (
        <div className={styles.screen}>
          <EmptyState icon={<ChartNoAxesColumn />} title={t('emptyTitle')} message={t('emptyMessage')} />
          {!data.detail && <LockedCharts />}
        </div>
      ) : (
        <div className={styles.screen} aria-busy={isPlaceholderData}>
          <Tiles analytics={data} onDrill={setDrilled} />
          <Series analytics={data} onDrill={setDrilled} />
          <Cost analytics={data} onDrill={setDrilled} />
          {data.detail ? <Charts detail={data.detail} onDrill={setDrilled} /> : <LockedCharts />}
        </div>
      )}
      {drilled && <DrillDialog pgid={pgid} filter={filter} drilled={drilled} onClose={close} />}
      {weekly && <WeeklyMailDialog pgid={pgid} chatbot={cgid} onClose={close} />}
    </>
  )
}
