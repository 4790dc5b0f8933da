import { useTranslation } from 'react-i18next'
import { type Broadcast, skipReasons } from '../../../../server/contracts/whatsappBroadcasts'
import styles from './broadcasts.module.css'

/** How many get nothing, and why. */
export function Skipped({ counts }: { counts: Broadcast['skipped'] }) {
  const { t } = useTranslation('whatsapp')
  const reasons = skipReasons.filter((reason) => counts[reason])
  if (reasons.length === 0) return null
  return (
    <p className={styles.soft}>
      {t('broadcasts.not')}{' '}
      {reasons.map((reason) => `${t(`broadcasts.reasons.${reason}`)} (${counts[reason]})`).join(', ')}
    </p>
  )
}
