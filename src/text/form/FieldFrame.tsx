import type { ReactNode } from 'react'
import styles from './form.module.css'
import type { Field } from './formContext'

export const errorId = (id: string): string => `${id}-note`

/** Label above, help below it, error at the end. `hidden` keeps the label for screen readers alone (rows of a list). */
export function FieldFrame({
  field,
  hidden,
  children,
}: {
  field: Pick<Field<never>, 'id' | 'label' | 'help' | 'error'>
  hidden?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.frame}>
      {!hidden && (
        <label className={styles.label} htmlFor={field.id}>
          {field.label}
        </label>
      )}
      {!hidden && field.help && <div className={styles.help}>{field.help}</div>}
      {children}
      <div id={errorId(field.id)} className={styles.error} role={field.error ? 'alert' : undefined}>
        {field.error}
      </div>
    </div>
  )
}
