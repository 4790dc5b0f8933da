import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../i18n/format'
import styles from './subscription.module.css'

/** How much of a limit is used. @param max null: there is no limit, and no bar that would fill up */
export function Meter({ label, max, used }: { label: string; max: number | null; used: number }) {
  const { t } = useTranslation('billing')
  const numbers = { used: formatNumber(used), max: formatNumber(max ?? 0) }
  return (
    <>
      <div className={styles.line}>
        <span>{label}</span>
        <span className={styles.count}>{t(max === null ? 'unlimited' : 'of', numbers)}</span>
      </div>
      {max !== null && max > 0 && (
        <meter
          className={styles.meter}
          aria-label={label}
          {...{ min: 0, max: 1, high: 0.9, optimum: 0, value: Math.min(1, used / max) }}
        />
      )}
    </>
  )
}
