import { Tooltip, type TooltipProps } from '@mantine/core'
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** the accessible name and tooltip */
  label: string
  icon: ReactNode
  /** a shortcut, shown beside the label in the tooltip */
  keys?: ReactNode
  /** a word below the icon, instead of a tooltip */
  caption?: string
  size?: 's' | 'm'
  design?: 'ghost' | 'bordered' | 'danger'
  /** the state of a toggle button */
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
  caption,
  tooltip = caption === undefined,
  tooltipPosition,
  className,
  onClick,
  onPointerLeave,
  onBlur,
  ...rest
}: IconButtonProps) {
  // after a press the tooltip would cover what was opened
  const [pressed, setPressed] = useState(false)
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-pressed={active}
      {...rest}
      onClick={(event) => {
        setPressed(true)
        onClick?.(event)
      }}
      onPointerLeave={(event) => {
        setPressed(false)
        onPointerLeave?.(event)
      }}
      onBlur={(event) => {
        setPressed(false)
        onBlur?.(event)
      }}
      className={className ? `${styles.button} ${className}` : styles.button}
      data-size={size}
      data-design={design}
      data-captioned={caption !== undefined || undefined}
    >
      {icon}
      {caption !== undefined && <span className={styles.caption}>{caption}</span>}
    </button>
  )
  if (!tooltip) return button
  return (
    <Tooltip
      disabled={pressed}
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
