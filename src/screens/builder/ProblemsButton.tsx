import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import { IconButton } from '../../ui/IconButton'
import styles from './ProblemsButton.module.css'

/** Opens the panel of problems, and says how many there are: errors and warnings, not what is only told. */
export function ProblemsButton({
  diagnostics,
  active,
  onClick,
}: {
  diagnostics: readonly Diagnostic[]
  active: boolean
  onClick: () => void
}) {
  const { t } = useTranslation('problems')
  const count = diagnostics.filter(({ severity }) => severity !== 'info').length
  const worst = diagnostics[0]?.severity ?? 'info'
  const Icon = count === 0 ? CircleCheck : worst === 'error' ? CircleAlert : TriangleAlert
  return (
    <IconButton
      className={styles.button}
      label={count === 0 ? t('panel.title') : t('panel.button', { count })}
      active={active}
      onClick={onClick}
      icon={
        <span className={styles.icon} data-severity={count === 0 ? undefined : worst}>
          <Icon size={16} aria-hidden />
          {count > 0 && <span className={styles.count}>{count > 99 ? '99+' : count}</span>}
        </span>
      }
    />
  )
}
