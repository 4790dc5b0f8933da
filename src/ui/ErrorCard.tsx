import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button'
import { PageTitle } from './PageTitle'
import styles from './states.module.css'

export interface ErrorCardProps {
  /** whether it is the whole screen: then its title is the screen's heading and the tab's title */
  screen?: boolean
  title?: string
  message?: string
  /** a callback or an internal link (SPEC.md 2) */
  action?: { label: string; onClick: () => void } | { label: string; to: string }
}

/** The generic error card of SPEC.md 2, with its default texts. */
export function ErrorCard({ screen, title, message, action }: ErrorCardProps) {
  const { t } = useTranslation()
  const heading = title ?? t('errors.title')
  const Heading = screen ? 'h1' : 'h2'
  return (
    <div className={styles.state} role="alert">
      <div className={styles.icon} data-tone="danger">
        <CircleAlert size={18} />
      </div>
      {screen && <PageTitle>{heading}</PageTitle>}
      <Heading className={styles.title}>{heading}</Heading>
      <p className={styles.message}>{message ?? t('errors.message')}</p>
      {action && (
        <div className={styles.action}>
          <Button {...('to' in action ? { to: action.to } : { onClick: action.onClick })}>{action.label}</Button>
        </div>
      )}
    </div>
  )
}
