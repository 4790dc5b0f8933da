import { type SubmitEvent, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Button } from './Button'
import styles from './ConfirmDialog.module.css'
import { Modal, ModalActions, ModalText } from './Modal'
import { TextField } from './TextField'

export interface ConfirmDialogProps {
  opened: boolean
  title: string
  message: string
  /** the button's label, e.g. “Delete chatbot” */
  confirm: string
  /** to be typed before the button works: for irreversible actions */
  typeName?: string
  danger?: boolean
  loading?: boolean
  /** shown under the field or the message */
  error?: string | undefined
  onConfirm: (typed: string) => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      <ConfirmForm {...props} />
    </Modal>
  )
}

/** A separate component, so that its state is dropped when the dialog closes. */
function ConfirmForm({ message, confirm, typeName, danger, loading, error, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const allowed = typeName === undefined || typed === typeName
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (allowed) onConfirm(typed)
  }
  return (
    <form onSubmit={submit}>
      <ModalText>{message}</ModalText>
      {typeName !== undefined && (
        <TextField
          className={styles.field}
          label={
            <Trans i18nKey="confirm.typeName" values={{ name: typeName }} shouldUnescape>
              Type <strong className={styles.name}>name</strong> to confirm
            </Trans>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          spellCheck={false}
          data-autofocus
        />
      )}
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{t('actions.cancel')}</Button>
        <Button type="submit" design={danger ? 'danger' : 'primary'} disabled={!allowed} loading={loading ?? false}>
          {confirm}
        </Button>
      </ModalActions>
    </form>
  )
}
