import { useTranslation } from 'react-i18next'
import { type Resync, resyncs } from '../../../../server/contracts/sources'
import { Select } from '../../../ui/Select'
import styles from './new-source.module.css'

/** How often pages are synced automatically. */
export function ResyncField({ value, onChange }: { value: Resync; onChange: (resync: Resync) => void }) {
  const { t } = useTranslation('sources')
  return (
    <Select
      className={styles.resync}
      label={t('resync.label')}
      value={value}
      data={resyncs.map((resync) => ({ value: resync, label: t(`resync.${resync}`) }))}
      onChange={(chosen) => onChange((chosen ?? 'never') as Resync)}
    />
  )
}
