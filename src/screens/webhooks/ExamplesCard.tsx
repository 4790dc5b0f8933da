import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type WebhookEvent,
  webhookEvents,
  webhookExamples,
  webhookPayload,
} from '../../../server/contracts/webhookEvents'
import { Card } from '../../ui/Card'
import { CodeBlock } from '../../ui/CodeBlock'
import { Select } from '../../ui/Select'
import { eventName } from './eventName'
import styles from './webhooks.module.css'

const about = { id: 'msg_m3k8t1x6w9b2n5c7', at: '2026-11-24T09:02:00.000Z', project: 'a1b2c3d4e5f6g7h8' }

/** What a receiver gets: each event by an example, and how to verify it. */
export function ExamplesCard() {
  const { t } = useTranslation('webhooks')
  const [type, setType] = useState<WebhookEvent>('conversation.started')
  const code = JSON.stringify(webhookPayload(type, { ...about, data: webhookExamples[type] }), null, 2)
  return (
    <Card title={t('examples.title')} description={t('examples.description')}>
      <div className={styles.fields}>
        <Select
          label={t('examples.event')}
          data={webhookEvents.map((value) => ({ value, label: `${t(eventName(value))} (${value})` }))}
          value={type}
          allowDeselect={false}
          onChange={(value) => value && setType(value as WebhookEvent)}
        />
        <CodeBlock label={t('examples.payload')} code={code} />
        <p className={styles.note}>{t('examples.verify')}</p>
        <p className={styles.note}>{t('examples.order')}</p>
        <p className={styles.note}>{t('examples.retries')}</p>
      </div>
    </Card>
  )
}
