import { Drawer } from '@mantine/core'
import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation, useMatches, useParams } from 'react-router'
import type { Account } from '../../server/contracts/account'
import { resetAccount, useAccount, useAccountStore, useCan } from '../api/account'
import { NotificationBell } from '../notifications/NotificationBell'
import { useNotificationNews } from '../notifications/notificationNews'
import { AppPalette } from '../palette/AppPalette'
import { usePaletteKey } from '../palette/paletteStore'
import { IconButton } from '../ui/IconButton'
import { LoadingState } from '../ui/LoadingState'
import { useFocusOnArrival, useRegions } from './arrival'
import { LeftBehind } from './LeftBehind'
import { AskToLeave } from './LogOut'
import { TESTING_VIEW } from './landing'
import { Navigation } from './Navigation'
import { OperatorNotice } from './OperatorNotice'
import { OverLimitBanner } from './OverLimitBanner'
import { Rail } from './Rail'
import { FirstLoad } from './Root'
import styles from './Shell.module.css'
import { NotFound, Unauthorized } from './StatusScreens'
import type { ScreenHandle } from './screenHandle'
import { UpgradeAnnouncement } from './UpgradeAnnouncement'

/** The layout of every screen after login: navigation at the side, or behind a button on a small screen. */
export function Shell() {
  const there = useAccountStore((state) => state.account !== null)
  return there ? <Frame /> : <FirstLoad />
}

/** The navigation, and beside it the screen of the address, or its replacement. */
export function Frame({ children }: { children?: ReactNode }) {
  const { t } = useTranslation()
  const handle = useScreenHandle()
  // a replacement has a page's layout
  const bleed = children === undefined && handle.bleed
  const slim = bleed === 'slim'
  const side = useRef<HTMLElement>(null)
  const content = useRef<HTMLElement>(null)
  const pgid = useAccount().user.project?.gid
  useForgetChatbot()
  usePaletteKey()
  useNotificationNews(useCan('conversations.view') ? pgid : undefined)
  // in the builder, the canvas manages focus
  useFocusOnArrival(content, !slim)
  useRegions(side, content, !slim)
  return (
    <div className={styles.shell} data-bleed={bleed || undefined} data-slim={slim || undefined}>
      <a className={styles.skip} href="#content">
        {t('nav.skip')} <span className={styles.skipHint}>{t('nav.skipHint')}</span>
      </a>
      <MobileBar />
      <aside ref={side} className={styles.side}>
        {slim ? <Rail /> : <Navigation />}
      </aside>
      <main ref={content} id="content" className={styles.content} tabIndex={-1}>
        {!bleed && <LeftBehind />}
        <OperatorNotice />
        <OverLimitBanner />
        <UpgradeAnnouncement />
        {children ?? <Screen />}
      </main>
      <Suspense fallback={null}>
        <AppPalette />
      </Suspense>
      <AskToLeave />
    </div>
  )
}

function Screen() {
  const { feature, billing, bleed } = useScreenHandle()
  const { billing: hasBilling, user } = useAccount()
  const allowed = useCan(feature ?? '')
  if (billing && !hasBilling) return <NotFound inside />
  // a chatbot of version 1 is tried where others are built (SPEC.md 4)
  if (feature?.startsWith('builder.') && user.chatbot?.version === 1)
    return <Navigate replace to={testingViewOf(user)} />
  if (feature && !allowed) return <Unauthorized inside />
  return (
    <Suspense fallback={bleed ? null : <LoadingState />}>
      <Outlet />
    </Suspense>
  )
}

/** Builder and translations stand at different depths below a chatbot's address. */
const testingViewOf = ({ project, chatbot }: Account['user']): string =>
  `/projects/${project?.gid}/chatbots/${chatbot?.gid}/${TESTING_VIEW}`

function MobileBar() {
  const { t } = useTranslation()
  const { user } = useAccount()
  const { pathname } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const opened = openAt === pathname
  return (
    <header className={styles.bar}>
      <IconButton
        label={t('nav.openMenu')}
        icon={<MenuIcon />}
        tooltip={false}
        aria-expanded={opened}
        onClick={() => setOpenAt(pathname)}
      />
      <span className={styles.where}>{user.chatbot?.name || user.project?.name || t('product')}</span>
      <NotificationBell position="bottom-end" />
      {/* composed by hand: the complete layout would add a header, a second banner landmark */}
      <Drawer.Root opened={opened} onClose={() => setOpenAt(null)} size={280} transitionProps={{ duration: 140 }}>
        <Drawer.Overlay backgroundOpacity={1} color="var(--p-overlay)" />
        <Drawer.Content className={styles.drawerContent} aria-label={t('nav.label')}>
          <Drawer.Body className={styles.drawer}>
            <Navigation />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </header>
  )
}

function useScreenHandle(): ScreenHandle {
  return (useMatches().at(-1)?.handle as ScreenHandle | undefined) ?? {}
}

/** Leaving a chatbot's screens clears the selected chatbot (SPEC.md 2). */
function useForgetChatbot() {
  const { cgid } = useParams()
  useEffect(() => {
    if (!cgid) resetAccount('chatbot')
  }, [cgid])
}
