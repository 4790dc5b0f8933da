import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebhookEndpoint } from '../../../server/contracts/webhooks'
import { failureText } from '../../api/failure'
import { useWebhook } from '../../api/webhooks'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { CopyField } from '../../ui/CopyField'
import styles from './webhooks.module.css'

/** The secret that messages are signed with: replaced here, shown once. */
export function SecretCard({ pgid, gid, endpoint }: { pgid: string; gid: string; endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const [asking, setAsking] = useState(false)
  const { rotate } = useWebhook(pgid, gid)
  const { old_secret_until: until } = endpoint
  const isBoth = until !== null && new Date(until) > new Date()
  return (
    <Card
      title={t('secret.title')}
      description={t('secret.description')}
      footer={<Button onClick={() => setAsking(true)}>{t('secret.rotate')}</Button>}
    >
      {(rotate.data || isBoth) && (
        <div className={styles.fields}>
          {rotate.data && (
            <>
              <CopyField label={t('secret.label')} value={rotate.data.secret} />
              <p className={styles.note}>{t('secret.once')}</p>
            </>
          )}
          {isBoth && <p className={styles.note}>{t('secret.both', { when: formatMoment(until) })}</p>}
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('secret.rotate')}
        message={isBoth ? t('secret.confirmAgain') : t('secret.confirm')}
        confirm={t('secret.rotate')}
        danger={isBoth}
        loading={rotate.isPending}
        error={rotate.error ? failureText(rotate.error, common('errors.message')) : undefined}
        onConfirm={() => rotate.mutate(undefined, { onSuccess: () => setAsking(false) })}
        onClose={() => {
          setAsking(false)
          if (rotate.error) rotate.reset()
        }}
      />
    </Card>
  )
}
