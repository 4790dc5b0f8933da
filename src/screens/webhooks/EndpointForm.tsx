import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebhookEndpoint, WebhookSettings } from '../../../server/contracts/webhooks'
import { failureText, fieldsOf } from '../../api/failure'
import { useWebhook } from '../../api/webhooks'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { LeaveGuard } from '../../ui/LeaveGuard'
import { notify } from '../../ui/notify'
import { EndpointFields } from './EndpointFields'
import styles from './webhooks.module.css'

const settingsOf = ({ url, description, events, personal, enabled }: WebhookEndpoint): WebhookSettings => ({
  ...{ url, description, events, personal, enabled },
})

interface EndpointFormProps {
  pgid: string
  gid: string
  endpoint: WebhookEndpoint
  readOnly: boolean
}

/** An endpoint's settings; switching it on or off is at once. */
export function EndpointForm({ pgid, gid, endpoint, readOnly }: EndpointFormProps) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const saved = settingsOf(endpoint)
  const [edited, setEdited] = useState<WebhookSettings | null>(null)
  const { save } = useWebhook(pgid, gid)
  const { save: toggle } = useWebhook(pgid, gid)
  const draft = edited ?? saved
  const changed = JSON.stringify({ ...draft, enabled: saved.enabled }) !== JSON.stringify(saved)
  const wrong = fieldsOf(save.error)
  const { enabled, stopped, stopped_at, failing_since, failures } = endpoint
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { enabled: _, ...body } = draft
    if (changed)
      save.mutate(body, {
        onSuccess: () => {
          setEdited(null)
          notify.success(t('saved'))
        },
      })
  }
  const failed = toggle.error ?? (Object.keys(wrong).length === 0 ? save.error : null)
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('settings.title')}
        footer={
          !readOnly && (
            <>
              <Button loading={toggle.isPending} onClick={() => toggle.mutate({ enabled: !enabled })}>
                {enabled ? t('settings.switchOff') : t('settings.switchOn')}
              </Button>
              <Button type="submit" design="primary" disabled={!changed} loading={save.isPending}>
                {common('actions.save')}
              </Button>
            </>
          )
        }
      >
        {stopped !== null && stopped_at !== null && (
          <p role="status" className={styles.stopped}>
            {t(`settings.stopped.${stopped}`, { when: formatMoment(stopped_at) })}
          </p>
        )}
        {enabled && failing_since !== null && (
          <p role="status" className={styles.failing}>
            {t('settings.failing', { count: failures, when: formatMoment(failing_since) })}
          </p>
        )}
        <EndpointFields
          draft={draft}
          wrong={wrong}
          readOnly={readOnly}
          onChange={(next) => {
            save.reset()
            setEdited(next)
          }}
        />
        {failed && (
          <p role="alert" className={styles.alert}>
            {failureText(failed, common('errors.message'))}
          </p>
        )}
      </Card>
      <LeaveGuard
        isUnsaved={() => changed}
        title={t('leave.title')}
        message={t('leave.message')}
        confirm={t('leave.confirm')}
      />
    </form>
  )
}
