import {
  House,
  Mails,
  MessagesSquare,
  Plus,
  Settings2,
  SlidersHorizontal,
  UserRoundPlus,
  UsersRound,
  Workflow,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useNavigate, useParams } from 'react-router'
import { useAccount, useCan } from '../api/account'
import { IconButton } from '../ui/IconButton'
import styles from './Navigation.module.css'
import { ProjectSwitcher } from './ProjectSwitcher'
import { UserMenu } from './UserMenu'

/** How many chatbots the list shows; the one that is open always is among them. */
const LISTED = 12

/** The project, its sections, its chatbots (the open one with its own sections), and the user. */
export function Navigation() {
  const { t } = useTranslation()
  const { project } = useAccount().user
  return (
    <nav className={styles.nav} aria-label={t('nav.label')}>
      <ProjectSwitcher />
      <div className={styles.scroll}>
        {project && <ProjectLinks home={`/projects/${project.gid}`} />}
        {project && <Chatbots home={`/projects/${project.gid}/chatbots`} />}
      </div>
      <UserMenu />
    </nav>
  )
}

function ProjectLinks({ home }: { home: string }) {
  const { t } = useTranslation()
  const dashboard = useCan('dashboard.view')
  const chatbots = useCan('chatbots.view')
  const members = useCan('members.view')
  const settings = useCan('project.view')
  const outbox = useCan('notifications.view')
  return (
    <ul className={styles.list}>
      {dashboard && <Entry to={home} icon={<House />} label={t('nav.home')} exact />}
      {chatbots && <Entry to={`${home}/chatbots`} icon={<MessagesSquare />} label={t('nav.chatbots')} exact />}
      {members && <Entry to={`${home}/members`} icon={<UserRoundPlus />} label={t('nav.members')} />}
      {settings && (
        <Entry to={`${home}/settings/project/general`} icon={<Settings2 />} label={t('nav.projectSettings')} />
      )}
      {outbox && <Entry to={`${home}/settings/project/outbox`} icon={<Mails />} label={t('nav.outbox')} />}
    </ul>
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
  const { t } = useTranslation()
  const builder = useCan('builder.view')
  const contacts = useCan('contacts.view')
  const settings = useCan('settings.view')
  return (
    <ul className={styles.nested}>
      {builder && <Entry to={`${home}/builder`} icon={<Workflow />} label={t('nav.builder')} />}
      {contacts && <Entry to={`${home}/leads`} icon={<UsersRound />} label={t('nav.contacts')} />}
      {settings && <Entry to={`${home}/settings/general`} icon={<SlidersHorizontal />} label={t('nav.settings')} />}
    </ul>
  )
}

function Entry({ to, icon, label, exact }: { to: string; icon: ReactNode; label: string; exact?: boolean }) {
  return (
    <li>
      <NavLink to={to} end={exact ?? false} className={styles.entry}>
        {icon}
        <span className={styles.label}>{label}</span>
      </NavLink>
    </li>
  )
}
