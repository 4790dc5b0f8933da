import type { ReactNode } from 'react'
import styles from './Card.module.css'

export interface CardProps {
  title?: string
  description?: ReactNode
  /** at the header's end */
  actions?: ReactNode
  /** a strip at the bottom, for a form's buttons */
  footer?: ReactNode
  tone?: 'neutral' | 'danger'
  /** no padding around the children: for lists */
  flush?: boolean
  children?: ReactNode
}

/** A framed part of a screen. */
export function Card({ title, description, actions, footer, tone = 'neutral', flush, children }: CardProps) {
  return (
    <section className={styles.card} data-tone={tone}>
      {title && (
        <header className={styles.head}>
          <div className={styles.words}>
            <h2 className={styles.title}>{title}</h2>
            {description && <p className={styles.description}>{description}</p>}
          </div>
          {actions}
        </header>
      )}
      {children && <div className={flush ? styles.flush : styles.body}>{children}</div>}
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </section>
  )
}
