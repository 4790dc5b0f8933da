import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/Card'
import { CopyField } from '../../ui/CopyField'
import { QrCode } from '../../ui/QrCode'
import styles from './whatsapp.module.css'

/** What leads people to a conversation with the number. */
export function LinkCard({ link }: { link: string }) {
  const { t } = useTranslation('whatsapp')
  return (
    <Card title={t('link.title')} description={t('link.description')}>
      <div className={styles.fields}>
        <CopyField label={t('link.label')} value={link} />
        <QrCode text={link} label={t('link.code', { link })} />
      </div>
    </Card>
  )
}
