import { useTranslation } from 'react-i18next'
import type { Domain } from '../../../server/contracts/domains'
import { CopyField } from '../../ui/CopyField'
import styles from './domain.module.css'

/** A DNS record to be made at the domain's provider. */
export function RecordTable({ record, label }: { record: Domain['ownership_verification']; label: string }) {
  const { t } = useTranslation('domain')
  return (
    <fieldset className={styles.record} aria-label={label}>
      <div className={styles.type}>
        <span className={styles.caption}>{t('record.type')}</span>
        <code className={styles.typeName}>{record.type}</code>
      </div>
      <CopyField label={t('record.name')} value={record.name} />
      <CopyField label={t('record.value')} value={record.value} />
    </fieldset>
  )
}
