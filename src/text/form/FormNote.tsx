import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Json } from '../../../engine/values/json'
import styles from './form.module.css'

interface FormNoteProps {
  label?: string
  /** a warning: until it is resolved the block does nothing */
  warns?: boolean
  /** a screen where it can be resolved; null without permission */
  link?: { to: string | null; text: string }
  children: ReactNode
}

/** A text in a form: what a block without settings does, or what prevents it from working. */
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

/** Read-only data as JSON. */
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
