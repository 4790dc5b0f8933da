import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useSeller } from '../../api/subscription'
import styles from './billing.module.css'

/** Who changes plans and add-ons, where the one who looks can't. */
export function WhoChanges() {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  const { mayPay, sells, data } = useSeller(pgid)
  if (sells) return data?.sandbox ? <Note text={t('sandbox')} /> : null
  if (!mayPay) return <Note text={t('whoPays')} />
  if (!data) return null
  return (
    <p className={styles.who} role="note">
      {t('whoChanges')} <code>{`npx parley plan ${pgid}`}</code>
    </p>
  )
}

const Note = ({ text }: { text: string }) => (
  <p className={styles.who} role="note">
    {text}
  </p>
)
