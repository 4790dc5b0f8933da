import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Json } from '../../../engine/values/json'
import styles from './form.module.css'

interface FormNoteProps {
  label?: string
  /** without what it says the block does nothing */
  warns?: boolean
  /** the screen where more can be done about it; null for who may not go there */
  link?: { to: string | null; text: string }
  children: ReactNode
}

/** Text in a form: what a block does, where there is nothing to set, and what stands in its way. */
export function FormNote({ label, warns, link, children }: FormNoteProps) {
  return (
    <div className={styles.noteFrame} data-warns={warns || undefined}>
      {label && <div className={styles.label}>{label}</div>}
      <p className={styles.note}>
        {children}
        {link && link.to !== null && (
          <>
            {' '}
            <Link to={link.to}>{link.text}</Link>
          </>
        )}
      </p>
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
