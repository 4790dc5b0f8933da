import { useTranslation } from 'react-i18next'
import styles from './broadcasts.module.css'

/** What it may cost, by the price that somebody has entered. */
export function Estimate({ count, price, currency }: { count: number; price: number; currency: string }) {
  const { t } = useTranslation('whatsapp')
  const money = (value: number) => `${value.toLocaleString(undefined, { maximumFractionDigits: 4 })} ${currency}`
  return (
    <p className={styles.soft}>
      {t('broadcasts.estimate', { count, price: money(price), cost: money(Math.round(count * price * 100) / 100) })}
    </p>
  )
}
