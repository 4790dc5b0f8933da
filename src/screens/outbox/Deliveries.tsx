import { useTranslation } from 'react-i18next'
import type { MailDelivery } from '../../../server/contracts/mails'
import { formatMoment } from '../../i18n/format'
import { MailStatus } from './MailStatus'
import styles from './outbox.module.css'

/** What the delivery service told of each recipient, and what can be done about it. */
export function Deliveries({ deliveries }: { deliveries: readonly MailDelivery[] }) {
  const { t } = useTranslation('outbox')
  return (
    <section aria-label={t('deliveries')}>
      <ul className={styles.told}>
        {deliveries.map(({ recipient, state, at, reason }) => (
          <li key={`${recipient} ${state}`}>
            <MailStatus status="sent" delivery={state} /> {recipient}, <time dateTime={at}>{formatMoment(at)}</time>
            {reason && <div className={styles.reason}>{reason}</div>}
            {(state === 'deferred' || state === 'bounced' || state === 'dropped' || state === 'spam') && (
              <div className={styles.to}>{t(`remedy.${state}`)}</div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
