import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import { useCanvasState } from '../context'
import styles from './LayoutProgress.module.css'

/** Shows how many groups are being arranged, with a cancel button. Hidden for quick layouts. */
export function LayoutProgress() {
  const { t } = useTranslation('builder')
  const arranging = useCanvasState((state) => state.arranging)
  return (
    <div className={styles.place} role="status">
      {arranging && (
        <div className={styles.card}>
          <span className={styles.text}>{t('layout.running', { count: arranging.groups })}</span>
          <span className={styles.track} aria-hidden>
            <span className={styles.runner} />
          </span>
          <Button size="s" onClick={arranging.cancel}>
            {t('layout.cancel')}
          </Button>
        </div>
      )}
    </div>
  )
}
