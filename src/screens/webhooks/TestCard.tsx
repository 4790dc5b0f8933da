import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type WebhookEvent, webhookEvents } from '../../../server/contracts/webhookEvents'
import { failureText } from '../../api/failure'
import { useWebhook } from '../../api/webhooks'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import { AttemptResult } from './AttemptResult'
import { eventName } from './eventName'
import styles from './webhooks.module.css'

/** Sends an example of an event, and shows what the receiver answered. */
export function TestCard({ pgid, gid, events }: { pgid: string; gid: string; events: readonly WebhookEvent[] }) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const [type, setType] = useState<WebhookEvent>(events[0] ?? 'conversation.started')
  const { test } = useWebhook(pgid, gid)
  return (
    <Card title={t('test.title')} description={t('test.description')}>
      <div className={styles.fields}>
        <div className={styles.send}>
          <Select
            label={t('test.event')}
            data={webhookEvents.map((value) => ({ value, label: t(eventName(value)) }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => value && setType(value as WebhookEvent)}
          />
          <Button loading={test.isPending} onClick={() => test.mutate(type)}>
            {t('test.send')}
          </Button>
        </div>
        <div role="status">{test.data?.message.last && <AttemptResult attempt={test.data.message.last} />}</div>
        {test.error && (
          <p role="alert" className={styles.alert}>
            {failureText(test.error, common('errors.message'))}
          </p>
        )}
      </div>
    </Card>
  )
}
