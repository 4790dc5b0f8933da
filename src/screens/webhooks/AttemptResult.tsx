import { useTranslation } from 'react-i18next'
import type { WebhookAttempt } from '../../../server/contracts/webhooks'
import { formatMoment, formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import styles from './webhooks.module.css'

/** What came of an attempt: status, time, the beginning of the answer, and what to do where it failed. */
export function AttemptResult({ attempt }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation('webhooks')
  const { at, duration, status, answer, error } = attempt
  return (
    <div className={styles.attempt}>
      <span className={styles.badges}>
        <Badge tone={error === null ? 'success' : 'danger'} dot>
          {status === null ? t('attempt.noAnswer') : t('attempt.status', { status })}
        </Badge>
        <span className={styles.note}>
          {t('attempt.took', { when: formatMoment(at), duration: formatNumber(duration) })}
        </span>
      </span>
      {error !== null && <p className={styles.alert}>{error}</p>}
      {answer !== '' && <pre className={styles.answer}>{answer}</pre>}
    </div>
  )
}
