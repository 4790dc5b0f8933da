import { useQuery } from '@tanstack/react-query'
import { ListChecks, ListPlus, Play, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { EvaluationList } from '../../../server/contracts/evaluations'
import { SetupGate } from '../../answers/SetupGate'
import { useCan } from '../../api/account'
import { chatbotQuery } from '../../api/chatbots'
import { evaluationsQuery, useEvaluationChanges } from '../../api/evaluations'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { AfterTraining } from './AfterTraining'
import { EvaluationsTable } from './EvaluationsTable'
import styles from './evaluations.module.css'
import { ImportDialog } from './ImportDialog'
import type { Opened } from './opened'
import { DeleteQuestion, EditQuestion } from './QuestionDialogs'
import { RunsCard } from './RunsCard'

/** /test: evaluations, questions with known answers that are asked again after changes. */
export function EvaluationsScreen() {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const mayChange = useCan('instructions.update')
  const mayAdd = useCan('testing.use')
  const [opened, setOpened] = useState<Opened>(null)
  const { data, error, refetch } = useQuery(evaluationsQuery(pgid, cgid))
  const close = () => setOpened(null)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          data && (
            <div className={styles.head}>
              {mayChange && (
                <Button icon={<ListPlus />} onClick={() => setOpened({ what: 'import' })}>
                  {t('import.open')}
                </Button>
              )}
              {mayAdd && (
                <Button icon={<Plus />} onClick={() => setOpened({ what: 'add' })}>
                  {t('add')}
                </Button>
              )}
              <RunButton pgid={pgid} cgid={cgid} list={data} />
            </div>
          )
        }
      />
      {data ? (
        <div className={styles.stack}>
          {!mayChange && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          <Questions pgid={pgid} cgid={cgid} list={data} onOpen={setOpened} />
        </div>
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={5} height={52} />
      )}
      {opened?.what === 'add' && <EditQuestion pgid={pgid} cgid={cgid} evaluation={null} onClose={close} />}
      {opened?.what === 'import' && <ImportDialog pgid={pgid} cgid={cgid} onClose={close} />}
      {opened?.what === 'edit' && (
        <EditQuestion pgid={pgid} cgid={cgid} evaluation={opened.evaluation} onClose={close} />
      )}
      {opened?.what === 'delete' && (
        <DeleteQuestion pgid={pgid} cgid={cgid} evaluation={opened.evaluation} onClose={close} />
      )}
    </>
  )
}

function RunButton({ pgid, cgid, list: { questions, runs } }: { pgid: string; cgid: string; list: EvaluationList }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const mayRun = useCan('testing.use')
  const { run } = useEvaluationChanges(pgid, cgid)
  const { data: chatbot } = useQuery({ ...chatbotQuery(pgid, cgid), staleTime: 0 })
  const ready = chatbot?.setup.sources && chatbot.setup.details
  const running = runs.some((each) => each.running)
  if (!mayRun) return null
  return (
    <Button
      design="primary"
      icon={<Play />}
      disabled={questions.length === 0 || !ready}
      loading={running || run.isPending}
      onClick={() =>
        run.mutate(undefined, { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
      }
    >
      {running ? t('running') : t('run')}
    </Button>
  )
}

interface QuestionsProps {
  pgid: string
  cgid: string
  list: EvaluationList
  onOpen: (opened: Opened) => void
}

function Questions({ pgid, cgid, list, onOpen }: QuestionsProps) {
  const { t } = useTranslation('evaluations')
  const mayAdd = useCan('testing.use')
  const { data: chatbot } = useQuery({ ...chatbotQuery(pgid, cgid), staleTime: 0 })
  const incomplete = chatbot && !(chatbot.setup.sources && chatbot.setup.details)
  if (list.questions.length === 0 && incomplete) return <SetupGate pgid={pgid} cgid={cgid} setup={chatbot.setup} />
  if (list.questions.length === 0) {
    return (
      <EmptyState
        icon={<ListChecks />}
        title={t('emptyTitle')}
        message={t('emptyMessage')}
        action={
          mayAdd && (
            <Button design="primary" icon={<Plus />} onClick={() => onOpen({ what: 'add' })}>
              {t('add')}
            </Button>
          )
        }
      />
    )
  }
  return (
    <>
      {incomplete && <SetupGate pgid={pgid} cgid={cgid} setup={chatbot.setup} />}
      <RunsCard list={list} />
      <AfterTraining pgid={pgid} cgid={cgid} wanted={list.after_training} />
      <EvaluationsTable questions={list.questions} onOpen={onOpen} />
    </>
  )
}
