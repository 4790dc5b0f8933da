import { Loader } from '@mantine/core'
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Button.module.css'

/** The designs of SPEC.md 9. */
export const buttonDesigns = [
  ...(['primary', 'ghost', 'secondary', 'danger', 'orange', 'bordered', 'white', 'gray'] as const),
] as const
export type ButtonDesign = (typeof buttonDesigns)[number]

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  design?: ButtonDesign
  size?: 's' | 'm' | 'l'
  icon?: ReactNode
  /** shows a spinner instead of the icon and ignores clicks */
  loading?: boolean
  /** full width */
  wide?: boolean
  /** makes it a link to a page of the app */
  to?: string
  children?: ReactNode
}

/** The only button with text; a button with just an icon is `IconButton`. */
export function Button({
  design = 'secondary',
  size = 'm',
  icon,
  loading,
  wide,
  to,
  children,
  className,
  ...rest
}: ButtonProps) {
  const look = {
    className: className ? `${styles.button} ${className}` : styles.button,
    'data-design': design,
    'data-size': size,
    'data-wide': wide || undefined,
  }
  const content = (
    <>
      {loading ? (
        <Loader size={14} color="currentColor" aria-hidden />
      ) : (
        icon && <span className={styles.icon}>{icon}</span>
      )}
      {children}
    </>
  )
  if (to !== undefined)
    return (
      <Link to={to} {...look}>
        {content}
      </Link>
    )
  return (
    <button
      type="button"
      {...rest}
      {...look}
      // Not `disabled`: that would take the focus away.
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? refuse : rest.onClick}
    >
      {content}
    </button>
  )
}

const refuse = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault()
