import { MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState'
import styles from './inbox.module.css'
import { KeyList } from './KeyList'

/** Shown beside the list while no conversation is open: the keys. */
export function NoConversation() {
  const { t } = useTranslation('inbox')
  return (
    <section className={`${styles.thread} ${styles.nothing}`} aria-label={t('conversation')}>
      <EmptyState icon={<MessagesSquare />} title={t('nothingOpen')} action={<KeyList />} />
    </section>
  )
}
