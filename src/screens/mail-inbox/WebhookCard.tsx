import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { useMailInbox } from '../../api/mailInbox'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { CopyField } from '../../ui/CopyField'
import styles from './mailInbox.module.css'

/** Where a mail service passes mails on to, and the secret that it signs them with, shown once. */
export function WebhookCard({ pgid, address, readOnly }: { pgid: string; address: string; readOnly: boolean }) {
  const { t } = useTranslation('mailInbox')
  const { t: common } = useTranslation()
  const { makeSecret } = useMailInbox(pgid)
  return (
    <Card
      title={t('webhook.title')}
      description={t('webhook.description')}
      footer={
        !readOnly && (
          <Button loading={makeSecret.isPending} onClick={() => makeSecret.mutate()}>
            {t('webhook.make')}
          </Button>
        )
      }
    >
      <div className={styles.fields}>
        <CopyField label={t('webhook.address')} value={address} />
        {makeSecret.data && (
          <>
            <CopyField label={t('webhook.secret')} value={makeSecret.data.secret} />
            <p className={styles.note}>{t('webhook.once')}</p>
          </>
        )}
        {makeSecret.error && (
          <p role="alert" className={styles.alert}>
            {failureText(makeSecret.error, common('errors.message'))}
          </p>
        )}
      </div>
    </Card>
  )
}
