import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { Mark } from '../ui/Mark'
import { useFocusOnArrival } from './arrival'
import styles from './GuestLayout.module.css'
import { HelpLink } from './HelpLink'

/** The layout of login and register: the logo, and one narrow column. */
export function GuestLayout() {
  const { t } = useTranslation()
  const page = useRef<HTMLElement>(null)
  useFocusOnArrival(page)
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <Mark size={22} /> {t('product')}
      </header>
      <main ref={page} className={styles.column}>
        <Outlet />
      </main>
      <footer className={styles.foot}>
        <HelpLink words />
      </footer>
    </div>
  )
}
