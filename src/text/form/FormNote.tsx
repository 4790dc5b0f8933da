import type { ReactNode } from 'react'
import type { Json } from '../../../engine/values/json'
import styles from './form.module.css'

/** Text in a form: what a block does, when there is nothing to set. */
export function FormNote({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={styles.noteFrame}>
      {label && <div className={styles.label}>{label}</div>}
      <p className={styles.note}>{children}</p>
    </div>
  )
}

/** Data to read, as JSON. */
export function JsonView({ label, data }: { label: string; data: Json }) {
  return (
    <section className={styles.noteFrame} aria-label={label}>
      <div className={styles.label}>{label}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre className={styles.data} tabIndex={0}>
        {JSON.stringify(data, null, 2)}
      </pre>
    </section>
  )
}
