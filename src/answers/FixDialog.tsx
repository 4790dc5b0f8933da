import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faqSchema } from '../../server/contracts/sources'
import { ApiFailure, failureText } from '../api/failure'
import { type FixSource, useFixAnswer } from '../api/fixAnswer'
import { fieldErrors } from '../api/validate'
import { Button } from '../ui/Button'
import { Modal, ModalActions, ModalText } from '../ui/Modal'
import { notify } from '../ui/notify'
import { TextArea } from '../ui/TextArea'
import styles from './fixDialog.module.css'

interface FixDialogProps {
  pgid: string
  cgid: string
  /** what was asked, and answered wrong */
  exchange: { question: string; text: string }
  /** also said of what happens then; left out: nothing does */
  then?: { message: string; submit: string }
  /** called when the right answer is trained, with the source that has it */
  onFixed: (question: string, source: FixSource) => void
  onClose: () => void
}

/** Stores the right answer to a question as an FAQ entry, and the question as an evaluation. */
export function FixDialog({ pgid, cgid, exchange, then, onFixed, onClose }: FixDialogProps) {
  const { t } = useTranslation('answers')
  const { t: common } = useTranslation()
  const [question, setQuestion] = useState(exchange.question)
  const [answer, setAnswer] = useState('')
  const [tried, setTried] = useState(false)
  const { fix, step } = useFixAnswer(pgid, cgid)
  const wrong = tried ? fieldErrors(faqSchema, { question, answer, phrasings: [] }) : {}
  const refused = fix.error instanceof ApiFailure ? fix.error.fields : {}
  const general = fix.error && Object.keys(refused).length === 0
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    const body = { question: question.trim(), answer: answer.trim() }
    if (Object.keys(fieldErrors(faqSchema, { ...body, phrasings: [] })).length > 0 || fix.isPending) return
    fix.mutate(body, {
      onSuccess: (source) => {
        notify.success(t('fix.done'))
        onFixed(body.question, source)
      },
    })
  }
  return (
    <Modal opened onClose={onClose} title={t('fix.title')} size="lg">
      <form onSubmit={submit} className={styles.form} noValidate>
        <ModalText>{[t('fix.message'), then?.message].filter(Boolean).join(' ')}</ModalText>
        <TextArea
          label={t('fix.question')}
          value={question}
          readOnly={fix.isPending}
          error={wrong.question ?? refused.question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <TextArea
          label={t('fix.answer')}
          description={t('fix.answerHint')}
          minRows={4}
          maxRows={12}
          value={answer}
          readOnly={fix.isPending}
          error={wrong.answer ?? refused.answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
          data-autofocus
        />
        {exchange.text && (
          <details className={styles.said}>
            <summary>{t('fix.said')}</summary>
            <p>{exchange.text}</p>
          </details>
        )}
        {general && (
          <p role="alert" className={styles.alert}>
            {failureText(fix.error, common('errors.message'))}
          </p>
        )}
        <p role="status" className={styles.step}>
          {fix.isPending && t(`fix.step.${step}`)}
        </p>
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={fix.isPending}>
            {then?.submit ?? t('fix.submit')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
