import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sourceCaps } from '../../../server/contracts/sources'
import type { UnansweredGroup, UnansweredKind } from '../../../server/contracts/unanswered'
import { FaqFields, faqOf, isFaqComplete } from '../../answers/FaqFields'
import { useCan } from '../../api/account'
import { useUnansweredChanges } from '../../api/unanswered'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'
import styles from './unanswered.module.css'

interface AnswerDialogProps {
  pgid: string
  cgid: string
  show: UnansweredKind
  group: UnansweredGroup
  knowledgeOf: string
  onClose: () => void
}

/** Writes the answer to a group of questions: an FAQ entry with all their wordings. Mount it to open it. */
export function AnswerDialog({ pgid, cgid, show, group, knowledgeOf, onClose }: AnswerDialogProps) {
  const { t } = useTranslation('unanswered')
  const { t: common } = useTranslation()
  const { answer } = useUnansweredChanges(pgid, cgid, show)
  const mayEvaluate = useCan('testing.use')
  const [first, ...others] = group.questions
  const [draft, setDraft] = useState({
    question: first?.question ?? '',
    phrasings: others
      .slice(0, sourceCaps.phrasings)
      .map(({ question }) => question)
      .join('\n'),
    // an uncertain answer is a start: what is right of it stays
    answer: group.said ?? '',
  })
  const [evaluate, setEvaluate] = useState(mayEvaluate)
  const [tried, setTried] = useState(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isFaqComplete(draft)) return
    const onSuccess = () => {
      notify.success(t('answerDone'))
      onClose()
    }
    answer.mutate({ group, entry: faqOf(draft), knowledgeOf, evaluate }, { onSuccess })
  }
  return (
    <Modal opened onClose={onClose} title={t(group.said === null ? 'answerTitle' : 'confirmTitle')} size="lg">
      <form onSubmit={submit} className={styles.form} noValidate>
        <FaqFields draft={draft} tried={tried} error={answer.error} onChange={setDraft} />
        {mayEvaluate && (
          <Switch
            label={t('evaluate')}
            description={t('evaluateHint')}
            checked={evaluate}
            onChange={(event) => setEvaluate(event.currentTarget.checked)}
          />
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={answer.isPending}>
            {t('save')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
