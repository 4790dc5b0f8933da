import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Diagnostic } from '../../../../engine/check/diagnostic'
import { IconButton, type IconButtonProps } from '../../../ui/IconButton'
import styles from './ProblemsButton.module.css'

/** Opens the panel of problems; shows the number of errors and warnings, without notes. */
export function ProblemsButton({
  diagnostics,
  ...rest
}: { diagnostics: readonly Diagnostic[] } & Omit<IconButtonProps, 'label' | 'icon'>) {
  const { t } = useTranslation('problems')
  const count = diagnostics.filter(({ severity }) => severity !== 'info').length
  const worst = diagnostics[0]?.severity ?? 'info'
  const Icon = count === 0 ? CircleCheck : worst === 'error' ? CircleAlert : TriangleAlert
  return (
    <IconButton
      label={count === 0 ? t('panel.title') : t('panel.button', { count })}
      {...rest}
      icon={
        <span className={styles.icon} data-severity={count === 0 ? undefined : worst}>
          <Icon size={16} aria-hidden />
          {count > 0 && <span className={styles.count}>{count > 99 ? '99+' : count}</span>}
        </span>
      }
    />
  )
}
