import { useTranslation } from 'react-i18next'
import { Button } from './Button'
import styles from './SaveBar.module.css'

export interface SaveBarProps {
  /** says that something is unsaved, or what is in the way of saving it */
  message: string
  problem?: boolean
  loading: boolean
  disabled?: boolean
  onDiscard: () => void
}

/**
 * At the foot of a form with changes: what is unsaved stays in sight, and so does the button that saves it. Put it into
 * the form.
 */
export function SaveBar({ message, problem = false, loading, disabled = false, onDiscard }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.bar}>
      <p role={problem ? 'alert' : 'status'} className={styles.message} data-problem={problem || undefined}>
        {message}
      </p>
      <Button design="ghost" disabled={loading} onClick={onDiscard}>
        {t('actions.discard')}
      </Button>
      <Button type="submit" design="primary" loading={loading} disabled={disabled}>
        {t('actions.save')}
      </Button>
    </div>
  )
}
