import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { evaluationBody } from '../../../server/contracts/evaluations'
import { useEvaluationChanges } from '../../api/evaluations'
import { ApiFailure, failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { TextArea } from '../../ui/TextArea'
import styles from './evaluations.module.css'
import { readLines } from './readLines'

const SHOWN = 5

/** Adds several questions, one per line. */
export function ImportDialog({ pgid, cgid, onClose }: { pgid: string; cgid: string; onClose: () => void }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const { addMany } = useEvaluationChanges(pgid, cgid)
  const lines = readLines(text)
  const wrong = lines.flatMap(({ line, body }) =>
    Object.values(fieldErrors(evaluationBody, body))
      .slice(0, 1)
      .map((message) => t('import.line', { line, message })),
  )
  const refused = addMany.error instanceof ApiFailure ? Object.values(addMany.error.fields)[0] : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (lines.length === 0 || wrong.length > 0) return
    addMany.mutate(
      lines.map(({ body }) => body),
      {
        onSuccess: ({ added }) => {
          notify.success(t('import.done', { count: added }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('import.title')} size="lg">
      <form onSubmit={submit} noValidate>
        <TextArea
          label={t('import.label')}
          description={t('import.hint')}
          placeholder={t('import.placeholder')}
          minRows={8}
          maxRows={16}
          value={text}
          error={
            tried && lines.length === 0
              ? t('import.empty')
              : addMany.error
                ? (refused ?? failureText(addMany.error, common('errors.message')))
                : undefined
          }
          onChange={(event) => {
            addMany.reset()
            setText(event.currentTarget.value)
          }}
          data-autofocus
        />
        {tried && wrong.length > 0 && (
          <ul role="alert" className={styles.wrong}>
            {wrong.slice(0, SHOWN).map((message) => (
              <li key={message}>{message}</li>
            ))}
            {wrong.length > SHOWN && <li>{t('import.more', { count: wrong.length - SHOWN })}</li>}
          </ul>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={addMany.isPending}>
            {t('import.submit', { count: Math.max(1, lines.length) })}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
