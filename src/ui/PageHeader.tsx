import type { ReactNode } from 'react'
import styles from './PageHeader.module.css'
import { PageTitle } from './PageTitle'

/** A screen's heading, which is also the tab's title, and its main actions. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
}) {
  return (
    <header className={styles.header}>
      <PageTitle>{title}</PageTitle>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
