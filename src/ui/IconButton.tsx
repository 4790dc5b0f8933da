import { Tooltip, type TooltipProps } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** names it for screen readers, and shows as a tooltip */
  label: string
  icon: ReactNode
  /** a shortcut, shown beside the label in the tooltip */
  keys?: ReactNode
  size?: 's' | 'm'
  design?: 'ghost' | 'bordered' | 'danger'
  /** pressed or not, for a button that stays down */
  active?: boolean
  tooltip?: boolean
  tooltipPosition?: TooltipProps['position']
}

export function IconButton({
  label,
  icon,
  keys,
  size = 'm',
  design = 'ghost',
  active,
  tooltip = true,
  tooltipPosition,
  className,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-pressed={active}
      {...rest}
      className={className ? `${styles.button} ${className}` : styles.button}
      data-size={size}
      data-design={design}
    >
      {icon}
    </button>
  )
  if (!tooltip) return button
  return (
    <Tooltip
      position={tooltipPosition ?? 'bottom'}
      label={
        keys ? (
          <span className={styles.tip}>
            {label} {keys}
          </span>
        ) : (
          label
        )
      }
    >
      {button}
    </Tooltip>
  )
}
