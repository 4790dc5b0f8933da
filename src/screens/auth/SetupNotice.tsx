import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/PageTitle'
import styles from './auth.module.css'

/** The installation has no owner yet: only the start command's link leads on. */
export function SetupNotice() {
  const { t } = useTranslation('auth')
  return <Notice title={t('setup.title')} message={t('setup.message')} />
}

/** A page with a message, and actions below. */
export function Notice({ title, message, children }: { title: string; message: string; children?: ReactNode }) {
  return (
    <div className={styles.form}>
      <PageTitle>{title}</PageTitle>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.message}>{message}</p>
      {children && <div>{children}</div>}
    </div>
  )
}
