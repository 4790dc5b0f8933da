import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { useWebhook } from '../../api/webhooks'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import styles from './webhooks.module.css'

/** Hours back; the last is all that the log holds. */
const periods = [1, 24, 72, 168, 720] as const

/** Sends all messages since a time again. */
export function ReplayDialog({ pgid, gid, onClose }: { pgid: string; gid: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const [hours, setHours] = useState('24')
  const [which, setWhich] = useState<'failed' | 'all'>('failed')
  const { replay } = useWebhook(pgid, gid)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString()
    replay.mutate(
      { since, which },
      {
        onSuccess: ({ count }) => {
          notify.success(t('replay.done', { count }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('replay.title')}>
      <form onSubmit={submit} className={styles.fields}>
        <ModalText>{t('replay.message')}</ModalText>
        <Select
          label={t('replay.since')}
          data={periods.map((period) => ({ value: String(period), label: t(`replay.periods.${period}`) }))}
          value={hours}
          allowDeselect={false}
          onChange={(value) => value && setHours(value)}
        />
        <Segmented
          label={t('replay.which')}
          value={which}
          options={(['failed', 'all'] as const).map((value) => ({ value, label: t(`replay.kinds.${value}`) }))}
          onChange={setWhich}
        />
        {replay.error && (
          <p role="alert" className={styles.alert}>
            {failureText(replay.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={replay.isPending}>
            {t('replay.send')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
