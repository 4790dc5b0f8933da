import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { deletingQuery } from '../api/chatbots'
import { Card } from '../ui/Card'
import styles from './chatbots.module.css'

/** Chatbots whose content is being deleted in the background, with the progress. */
export function DeletingChatbots({ pgid }: { pgid: string }) {
  const { t } = useTranslation('chatbots')
  const { data: deleting = [] } = useQuery(deletingQuery(pgid))
  if (deleting.length === 0) return null
  return (
    <div className={styles.deleting}>
      <Card flush>
        <ul className={styles.rows} aria-label={t('deleting.list')}>
          {deleting.map(({ gid, name, percent }) => (
            <li key={gid} className={styles.deletingRow}>
              <Trash2 size={14} aria-hidden />
              <span className={styles.deletingName}>{name}</span>
              <span className={styles.progress}>{t('deleting.progress', { percent })}</span>
              <progress max={100} value={percent} aria-label={t('deleting.label', { name })} />
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
