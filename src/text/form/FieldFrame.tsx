import type { ReactNode } from 'react'
import { PeersHere } from '../PeersHere'
import styles from './form.module.css'
import type { Field } from './formContext'

export const errorId = (id: string): string => `${id}-note`

/**
 * Label above, help below it, error at the end, and others who edit it. `hidden` shows the label only to screen readers
 * (rows of a list).
 */
export function FieldFrame({
  field,
  hidden,
  children,
}: {
  field: Pick<Field<never>, 'id' | 'place' | 'label' | 'help' | 'error'>
  hidden?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.frame} data-field={field.place}>
      <div className={styles.heading} data-hidden={hidden || undefined}>
        {!hidden && (
          <label className={styles.label} htmlFor={field.id}>
            {field.label}
          </label>
        )}
        <PeersHere place={field.place} />
      </div>
      {!hidden && field.help && <div className={styles.help}>{field.help}</div>}
      {children}
      <div id={errorId(field.id)} className={styles.error} role={field.error ? 'alert' : undefined}>
        {field.error}
      </div>
    </div>
  )
}
