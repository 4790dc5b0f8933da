import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { UNANSWERED_DAYS, type UnansweredGroup } from '../../../server/contracts/unanswered'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { unansweredQuery } from '../../api/unanswered'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { AnswerDialog } from './AnswerDialog'
import { GroupCard } from './GroupCard'
import styles from './unanswered.module.css'

/** /unanswered: what visitors asked in vain, with what mends it in one step. */
export function UnansweredScreen() {
  const { t } = useTranslation('unanswered')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const mayAdd = useCan('knowledge_base.create')
  const [answering, setAnswering] = useState<UnansweredGroup | null>(null)
  const { data, error, refetch } = useQuery(unansweredQuery(pgid, cgid))
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description', { days: UNANSWERED_DAYS })}
        actions={
          data &&
          mayAdd && (
            <Button
              icon={<FilePlus2 />}
              to={`/projects/${pgid}/chatbots/${data.knowledge_of}/data-sources/new?kind=link`}
            >
              {t('addPages')}
            </Button>
          )
        }
      />
      {data ? (
        data.groups.length === 0 ? (
          <EmptyState
            icon={<CircleCheckBig />}
            title={t('emptyTitle')}
            message={t('emptyMessage', { days: UNANSWERED_DAYS })}
          />
        ) : (
          <ul className={styles.groups} aria-label={t('title')}>
            {data.groups.map((group) => (
              <GroupCard
                key={group.questions[0]?.wording}
                pgid={pgid}
                cgid={cgid}
                group={group}
                knowledgeOf={data.knowledge_of}
                onAnswer={() => setAnswering(group)}
              />
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={4} height={132} />
      )}
      {data && data.more > 0 && <p className={styles.more}>{t('more', { count: data.more })}</p>}
      {data && answering && (
        <AnswerDialog
          pgid={pgid}
          cgid={cgid}
          group={answering}
          knowledgeOf={data.knowledge_of}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}
