import { useTranslation } from 'react-i18next'
import { type BroadcastCheck, LISTED } from '../../../../server/contracts/whatsappBroadcasts'
import styles from './broadcasts.module.css'
import { Estimate } from './Estimate'
import { Skipped } from './Skipped'

/** Who would get it and who would not, before anything is sent. */
export function CheckResult({ check, price, currency }: { check: BroadcastCheck; price: number; currency: string }) {
  const { t } = useTranslation('whatsapp')
  const { count, skipped, gets, not } = check
  return (
    <section className={styles.check} aria-label={t('broadcast.checked')}>
      <strong role="status">{t('broadcast.count', { count })}</strong>
      <Estimate count={count} price={price} currency={currency} />
      {gets.length > 0 && (
        <details>
          <summary>{t('broadcast.gets')}</summary>
          <ul className={styles.people}>
            {gets.map(({ contact, name, number, text }) => (
              <li key={contact}>
                <span className={styles.name}>{name || number || t('broadcast.unknown')}</span>{' '}
                <span className={styles.soft}>{text}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Skipped counts={skipped} />
      {not.length > 0 && (
        <details>
          <summary>{t('broadcast.getsNot')}</summary>
          <ul className={styles.people}>
            {not.map(({ contact, name, number, reason }) => (
              <li key={contact}>
                <span className={styles.name}>{name || number || t('broadcast.unknown')}</span>{' '}
                <span className={styles.soft}>{t(`broadcasts.reasons.${reason}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {(gets.length === LISTED || not.length === LISTED) && (
        <p className={styles.soft}>{t('broadcast.first', { count: LISTED })}</p>
      )}
    </section>
  )
}
