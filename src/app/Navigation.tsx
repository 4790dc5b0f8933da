import { Plus, Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation, useNavigate, useParams } from 'react-router'
import { useAccount, useCan } from '../api/account'
import { keyCaps } from '../canvas/keyboard/chord'
import { NotificationBell } from '../notifications/NotificationBell'
import { usePaletteStore } from '../palette/paletteStore'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { HelpLink } from './HelpLink'
import styles from './Navigation.module.css'
import { moveByKeys } from './navigationKeys'
import { Places } from './Places'
import { ProjectSwitcher } from './ProjectSwitcher'
import { chatbotPlaces, projectPlaces } from './places'
import { UserMenu } from './UserMenu'

/** Number of chatbots in the list, which always includes the open one. */
const LISTED = 12

/** The project, its sections, its chatbots (the open one with its own sections), and the user. */
export function Navigation() {
  const { t } = useTranslation()
  const { project } = useAccount().user
  return (
    <nav className={styles.nav} aria-label={t('nav.label')} onKeyDown={moveByKeys}>
      <ProjectSwitcher />
      <SearchButton />
      <div className={styles.scroll}>
        {project && (
          <ul className={styles.list}>
            <Places home={`/projects/${project.gid}`} places={projectPlaces} />
          </ul>
        )}
        {project && <Chatbots home={`/projects/${project.gid}/chatbots`} />}
      </div>
      <div className={styles.foot}>
        <UserMenu />
        <HelpLink />
        <NotificationBell position="right-end" />
      </div>
    </nav>
  )
}

/** Opens the palette, for touch and for people who don't know its key. */
function SearchButton() {
  const { t } = useTranslation()
  return (
    <button type="button" className={styles.find} onClick={() => usePaletteStore.setState({ open: true })}>
      <Search className={styles.findIcon} />
      <span className={styles.findLabel}>{t('nav.search')}</span>
      <span className={styles.findKeys}>
        <KeyHint keys={keyCaps('mod+k')} />
      </span>
    </button>
  )
}

function Chatbots({ home }: { home: string }) {
  const { t } = useTranslation()
  const { cgid } = useParams()
  const { chatbots } = useAccount().user
  const mayView = useCan('chatbots.view')
  const mayCreate = useCan('chatbots.create')
  const first = useCan('builder.view') ? 'builder' : 'leads'
  const navigate = useNavigate()
  if (!mayView || (chatbots.length === 0 && !mayCreate)) return null
  const listed = chatbots.filter(({ gid }, index) => index < LISTED || gid === cgid)
  return (
    <section aria-label={t('nav.chatbots')}>
      <header className={styles.head}>
        <span>{t('nav.chatbots')}</span>
        {mayCreate && (
          <IconButton size="s" label={t('nav.newChatbot')} icon={<Plus />} onClick={() => navigate(`${home}/new`)} />
        )}
      </header>
      <ul className={styles.list}>
        {listed.map(({ gid, name }) => (
          <li key={gid}>
            <NavLink
              to={`${home}/${gid}/${first}`}
              className={styles.chatbot}
              data-open={gid === cgid || undefined}
              title={name}
            >
              <span className={styles.initial} aria-hidden="true">
                {[...name][0]?.toUpperCase()}
              </span>
              <span className={styles.label}>{name}</span>
            </NavLink>
            {gid === cgid && <ChatbotLinks home={`${home}/${gid}`} />}
          </li>
        ))}
        {listed.length < chatbots.length && (
          <li>
            <NavLink to={home} end className={styles.more}>
              {t('nav.allChatbots')}
            </NavLink>
          </li>
        )}
      </ul>
    </section>
  )
}

function ChatbotLinks({ home }: { home: string }) {
  const list = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  // among many chatbots the open one's places may be further down
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is another place
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <ul ref={list} className={styles.nested}>
      <Places home={home} places={chatbotPlaces} />
    </ul>
  )
}
