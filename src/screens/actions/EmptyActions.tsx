import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState'
import styles from './actions.module.css'

/** Explains agents by an example: a question, an action, an answer. */
export function EmptyActions({ action }: { action: ReactNode }) {
  const { t } = useTranslation('actions')
  return (
    <div>
      <EmptyState icon={<Sparkles />} title={t('empty.title')} message={t('empty.message')} action={action} />
      <section className={styles.example} aria-label={t('empty.example')}>
        <h3>{t('empty.example')}</h3>
        <p className={styles.asked}>{t('empty.asked')}</p>
        <p className={styles.done}>{t('empty.done')}</p>
        <p className={styles.answered}>{t('empty.answered')}</p>
      </section>
    </div>
  )
}
