import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Button } from '../ui/Button'
import { Mark } from '../ui/Mark'
import { PageTitle } from '../ui/PageTitle'
import styles from './StatusScreens.module.css'

/** An unknown path, or something that does not exist for this account (SPEC.md 2). */
export function NotFound({ inside }: { inside?: boolean }) {
  const { t } = useTranslation()
  return <StatusScreen status={404} title={t('screens.notFound')} inside={inside} />
}

/** The role does not allow this screen (SPEC.md 2). */
export function Unauthorized({ inside }: { inside?: boolean }) {
  const { t } = useTranslation()
  return <StatusScreen title={t('screens.unauthorizedTitle')} message={t('screens.unauthorized')} inside={inside} />
}

/** The project opens only with two-factor sign-in, which the account's own screen turns on. */
export function SecondFactorRequired() {
  const { t } = useTranslation()
  return (
    <StatusScreen
      title={t('screens.secondFactorTitle')}
      message={t('screens.secondFactor')}
      action={
        <>
          <Button design="primary" to="/account">
            {t('screens.secondFactorSetUp')}
          </Button>
          <Button to="/projects">{t('screens.otherProjects')}</Button>
        </>
      }
    />
  )
}

/** The project opens only to who comes by its organisation's identity provider. */
export function SignOnRequired() {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  return (
    <StatusScreen
      title={t('screens.signOnTitle')}
      message={t('screens.signOn')}
      action={
        <>
          <Button design="primary" to={`/sign-on?next=${encodeURIComponent(pathname + search)}`}>
            {t('screens.signOnBegin')}
          </Button>
          <Button to="/projects">{t('screens.otherProjects')}</Button>
        </>
      }
    />
  )
}

/** The project opens only from networks in which this browser is not. */
export function AddressNotAllowed() {
  const { t } = useTranslation()
  return (
    <StatusScreen
      title={t('screens.addressTitle')}
      message={t('screens.address')}
      action={
        <Button design="primary" to="/projects">
          {t('screens.otherProjects')}
        </Button>
      }
    />
  )
}

interface StatusScreenProps {
  status?: number
  title: string
  message?: string
  /** inside the shell, which has its own navigation */
  inside?: boolean
  action?: ReactNode
}

export function StatusScreen({ status, title, message, inside, action }: StatusScreenProps) {
  const { t } = useTranslation()
  const Frame = inside ? 'div' : 'main'
  return (
    <Frame className={styles.screen} data-inside={inside || undefined}>
      <PageTitle>{title}</PageTitle>
      <div className={styles.words}>
        {!inside && <Mark size={28} />}
        {status !== undefined && <p className={styles.status}>{status}</p>}
        <h1 className={styles.title}>{title}</h1>
        {message && <p className={styles.message}>{message}</p>}
        <div className={styles.action}>{action ?? <Button to="/">{t('screens.home')}</Button>}</div>
      </div>
    </Frame>
  )
}
