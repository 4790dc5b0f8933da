import type { ReactNode } from 'react'
import { Button } from '../../ui/Button'
import styles from './form.module.css'

interface TrySectionProps {
  title: string
  help: string
  button: { label: string; icon: ReactNode; loading: boolean }
  onTry: () => void
  /** what is going on, or what came; announced */
  status: string
  problem: string | null
  /** what came, in full; empty: nothing more */
  result: string
  /** the values to try it with */
  children: ReactNode
}

/** The part of a form that makes its call once. */
export function TrySection({ title, help, button, onTry, status, problem, result, children }: TrySectionProps) {
  return (
    <section className={styles.try} aria-label={title}>
      <div className={styles.label}>{title}</div>
      <p className={styles.help}>{help}</p>
      {children}
      <div>
        <Button
          icon={button.icon}
          loading={button.loading}
          // a field may shrink when it loses focus, and move the button away from the pointer
          onMouseDown={(event) => event.preventDefault()}
          onClick={onTry}
        >
          {button.label}
        </Button>
      </div>
      <div role="status" className={styles.help}>
        {status}
      </div>
      {problem !== null && (
        <div className={styles.error} role="alert">
          {problem}
        </div>
      )}
      {result !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className={styles.data} tabIndex={0}>
          {result}
        </pre>
      )}
    </section>
  )
}
