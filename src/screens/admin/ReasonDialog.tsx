import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldOr } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { TextField } from '../../ui/TextField'

const MOST = 300

/** Asks for the reason of what is done to somebody; it is noted. */
export function ReasonDialog({
  title,
  message,
  confirm,
  danger,
  action,
  onClose,
}: {
  title: string
  message: string
  confirm: string
  danger?: boolean
  action: { isPending: boolean; error: Error | null; run: (why: string) => void }
  onClose: () => void
}) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const [why, setWhy] = useState('')
  const isRight = why.trim() !== '' && why.trim().length <= MOST
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isRight) action.run(why.trim())
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <ModalText>{message}</ModalText>
        <TextField
          label={t('suspend.why')}
          maxLength={MOST}
          value={why}
          error={action.error ? fieldOr(action.error, 'why', common('errors.message')) : undefined}
          onChange={(event) => setWhy(event.currentTarget.value)}
          data-autofocus
        />
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design={danger ? 'danger' : 'primary'} disabled={!isRight} loading={action.isPending}>
            {confirm}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
