import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChartNoAxesColumn, Workflow } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useAccount, useCan } from '../../api/account'
import { analyticsQuery, type Drilled } from '../../api/analytics'
import { failureText } from '../../api/failure'
import { ownZone, shiftDay, todayIn } from '../../charts/days'
import { Tiles } from '../../charts/Tiles'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import styles from './analytics.module.css'
import { Outcomes, Ratings } from './Charts'
import { DrillDialog } from './DrillDialog'
import { LockedCharts } from './LockedCharts'
import { Questions } from './Questions'
import { Series } from './Series'

const DAYS = 28

/**
 * /projects/:pgid/chatbots/:cgid: the chatbot's dashboard (SPEC.md 2), which is how its visitors' conversations of the
 * last four weeks went, beside the four before. Who may not see figures is taken to the first screen of their role.
 */
export function ChatbotHomeScreen() {
  const { t } = useTranslation('analytics')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { chatbot } = useAccount().user
  const mayBuild = useCan('builder.view')
  const [drilled, setDrilled] = useState<Drilled | null>(null)
  const zone = ownZone()
  const to = todayIn(zone)
  const filter = { chatbot: cgid, from: shiftDay(to, 1 - DAYS), to, zone }
  const { data, error, refetch } = useQuery(analyticsQuery(pgid, filter))
  return (
    <>
      <PageHeader
        title={chatbot?.name ?? t('title')}
        description={t('home.description')}
        actions={
          <>
            <Button icon={<ArrowRight />} to={`/projects/${pgid}/chatbots/${cgid}/analytics`}>
              {t('home.all')}
            </Button>
            {mayBuild && chatbot?.version !== 1 && (
              <Button design="primary" icon={<Workflow />} to={`/projects/${pgid}/chatbots/${cgid}/builder`}>
                {t('home.build')}
              </Button>
            )}
          </>
        }
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={4} height={96} />
      ) : data.now.conversations === 0 && data.before.conversations === 0 ? (
        <EmptyState icon={<ChartNoAxesColumn />} title={t('home.emptyTitle')} message={t('emptyMessage')} />
      ) : (
        <div className={styles.screen}>
          <Tiles analytics={data} onDrill={setDrilled} />
          <Series analytics={data} onDrill={setDrilled} />
          {data.detail ? (
            <div className={styles.charts}>
              <Outcomes detail={data.detail} onDrill={setDrilled} />
              <Ratings detail={data.detail} onDrill={setDrilled} />
              <Questions kind="top" questions={data.detail.top_questions} onDrill={setDrilled} />
              <Questions kind="unanswered" questions={data.detail.unanswered} onDrill={setDrilled} />
            </div>
          ) : (
            <LockedCharts />
          )}
        </div>
      )}
      {drilled && <DrillDialog pgid={pgid} filter={filter} drilled={drilled} onClose={() => setDrilled(null)} />}
    </>
  )
}
