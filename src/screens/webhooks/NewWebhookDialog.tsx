import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebhookSettings } from '../../../server/contracts/webhooks'
import { failureText, fieldsOf } from '../../api/failure'
import { useCreateWebhook } from '../../api/webhooks'
import { Button } from '../../ui/Button'
import { CopyField } from '../../ui/CopyField'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { EndpointFields } from './EndpointFields'
import styles from './webhooks.module.css'

const blank: WebhookSettings = { url: '', description: '', events: [], personal: true, enabled: true }

interface NewWebhookDialogProps {
  pgid: string
  onClose: () => void
  onMade: (gid: string) => void
}

/** Makes an endpoint, and shows its secret, once. */
export function NewWebhookDialog({ pgid, onClose, onMade }: NewWebhookDialogProps) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const [draft, setDraft] = useState(blank)
  const create = useCreateWebhook(pgid)
  const made = create.data
  const wrong = fieldsOf(create.error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate(draft)
  }
  if (made)
    return (
      <Modal opened onClose={() => onMade(made.endpoint.gid)} title={t('secret.made')}>
        <ModalText>{t('secret.once')}</ModalText>
        <CopyField label={t('secret.label')} value={made.secret} />
        <ModalActions>
          <Button design="primary" onClick={() => onMade(made.endpoint.gid)}>
            {t('secret.done')}
          </Button>
        </ModalActions>
      </Modal>
    )
  return (
    <Modal opened onClose={onClose} title={t('add')} size="lg" closeOnClickOutside={draft === blank}>
      <form onSubmit={submit} noValidate>
        <EndpointFields
          draft={draft}
          wrong={wrong}
          onChange={(changed) => {
            create.reset()
            setDraft(changed)
          }}
        />
        {create.error && Object.keys(wrong).length === 0 && (
          <p role="alert" className={styles.alert}>
            {failureText(create.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={create.isPending}>
            {t('add')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
