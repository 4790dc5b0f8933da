import { useTranslation } from 'react-i18next'
import { BarList } from '../../charts/BarList'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import styles from './analytics.module.css'

/** Shapes of charts, out of focus: no figures are sent to a plan without them. */
const shapes = [
  [9, 7, 4, 2],
  [8, 6, 5, 1],
  [7, 7, 3, 2],
  [9, 5, 4, 3],
]

/** What stands instead of the charts on a plan with basic analytics (SPEC.md 2). */
export function LockedCharts() {
  const { t } = useTranslation('analytics')
  return (
    <div className={styles.locked}>
      <div className={styles.blurred} aria-hidden>
        {shapes.map((values) => (
          <div key={values.join()} className={styles.shape}>
            <BarList bars={values.map((value, at) => ({ id: String(at), name: '\u2588'.repeat(value + 4), value }))} />
          </div>
        ))}
      </div>
      <div className={styles.lockedMessage}>
        <UpgradeBanner>
          <p>{t('notInPlan')}</p>
        </UpgradeBanner>
      </div>
    </div>
  )
}
