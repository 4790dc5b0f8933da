import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { UNANSWERED_DAYS, type UnansweredGroup, type UnansweredKind } from '../../../server/contracts/unanswered'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { unansweredQuery } from '../../api/unanswered'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import { AnswerDialog } from './AnswerDialog'
import { GroupCard } from './GroupCard'
import styles from './unanswered.module.css'

/** /unanswered: what visitors asked in vain, or got an uncertain answer to, with what mends it in one step. */
export function UnansweredScreen() {
  const { t } = useTranslation('unanswered')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const mayAdd = useCan('knowledge_base.create')
  const [search, setSearch] = useSearchParams()
  const show: UnansweredKind = search.get('show') === 'uncertain' ? 'uncertain' : 'unanswered'
  const [answering, setAnswering] = useState<UnansweredGroup | null>(null)
  const { data, error, refetch } = useQuery(unansweredQuery(pgid, cgid, show))
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
      <Segmented<UnansweredKind>
        className={styles.show}
        label={t('show.label')}
        value={show}
        options={[
          { value: 'unanswered', label: t('show.unanswered') },
          { value: 'uncertain', label: t('show.uncertain') },
        ]}
        onChange={(next) => setSearch(next === 'uncertain' ? { show: next } : {}, { replace: true })}
      />
      {data ? (
        data.groups.length === 0 ? (
          <EmptyState
            icon={<CircleCheckBig />}
            title={t(show === 'uncertain' ? 'noneUncertain' : 'emptyTitle')}
            message={t(show === 'uncertain' ? 'noneUncertainMessage' : 'emptyMessage', { days: UNANSWERED_DAYS })}
          />
        ) : (
          <ul className={styles.groups} aria-label={t('title')}>
            {data.groups.map((group) => (
              <GroupCard
                key={group.questions[0]?.wording}
                pgid={pgid}
                cgid={cgid}
                show={show}
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
          show={show}
          group={answering}
          knowledgeOf={data.knowledge_of}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}
