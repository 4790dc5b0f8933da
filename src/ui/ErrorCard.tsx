import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button'
import styles from './states.module.css'

export interface ErrorCardProps {
  title?: string
  message?: string
  /** a callback or an internal link (SPEC.md 2) */
  action?: { label: string; onClick: () => void } | { label: string; to: string }
}

/** The generic error card of SPEC.md 2, with its default texts. */
export function ErrorCard({ title, message, action }: ErrorCardProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.state} role="alert">
      <div className={styles.icon} data-tone="danger">
        <CircleAlert size={18} />
      </div>
      <h2 className={styles.title}>{title ?? t('errors.title')}</h2>
      <p className={styles.message}>{message ?? t('errors.message')}</p>
      {action && (
        <div className={styles.action}>
          <Button {...('to' in action ? { to: action.to } : { onClick: action.onClick })}>{action.label}</Button>
        </div>
      )}
    </div>
  )
}
