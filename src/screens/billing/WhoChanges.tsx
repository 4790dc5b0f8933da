import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import styles from './billing.module.css'

/** Who changes plans and add-ons: nobody pays here. */
export function WhoChanges() {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  return (
    <p className={styles.who} role="note">
      {t('whoChanges')} <code>{`npx parley plan ${pgid}`}</code>
    </p>
  )
}
