import { useTranslation } from 'react-i18next'
import { Button } from './Button'
import styles from './SaveBar.module.css'

export interface SaveBarProps {
  /** says that something is unsaved, or what prevents saving */
  message: string
  problem?: boolean
  loading: boolean
  disabled?: boolean
  onDiscard: () => void
}

/** A bar at the bottom of a changed form, always visible, with the save button. Put it into the form. */
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
