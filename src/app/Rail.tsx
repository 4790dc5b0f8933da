import { House, MessagesSquare, SlidersHorizontal, UserRoundPlus, UsersRound, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useAccount, useCan } from '../api/account'
import { ProjectTile } from '../ui/ProjectTile'
import { Tooltip } from '../ui/Tooltip'
import styles from './Rail.module.css'
import { UserMenu } from './UserMenu'

/** The navigation as a strip of icons, for screens that want the width. */
export function Rail() {
  const { t } = useTranslation()
  const { project, chatbot } = useAccount().user
  const dashboard = useCan('dashboard.view')
  const chatbots = useCan('chatbots.view')
  const members = useCan('members.view')
  const builder = useCan('builder.view')
  const contacts = useCan('contacts.view')
  const settings = useCan('settings.view')
  const home = `/projects/${project?.gid}`
  return (
    <nav className={styles.rail} aria-label={t('nav.label')}>
      <RailLink
        to="/projects"
        label={project?.name ?? t('nav.projects')}
        icon={<ProjectTile name={project?.name ?? ''} />}
      />
      {dashboard && <RailLink to={home} label={t('nav.home')} icon={<House />} />}
      {chatbots && <RailLink to={`${home}/chatbots`} label={t('nav.chatbots')} icon={<MessagesSquare />} />}
      {members && <RailLink to={`${home}/members`} label={t('nav.members')} icon={<UserRoundPlus />} />}
      <hr className={styles.rule} />
      {chatbot && builder && (
        <RailLink to={`${home}/chatbots/${chatbot.gid}/builder`} label={t('nav.builder')} icon={<Workflow />} />
      )}
      {chatbot && contacts && (
        <RailLink to={`${home}/chatbots/${chatbot.gid}/leads`} label={t('nav.contacts')} icon={<UsersRound />} />
      )}
      {chatbot && settings && (
        <RailLink
          to={`${home}/chatbots/${chatbot.gid}/settings/general`}
          label={t('nav.settings')}
          icon={<SlidersHorizontal />}
        />
      )}
      <span className={styles.gap} />
      <UserMenu slim />
    </nav>
  )
}

function RailLink({ to, label, icon }: { to: string; label: string; icon: ReactNode }) {
  return (
    <Tooltip label={label} position="right">
      <NavLink to={to} end className={styles.link} aria-label={label}>
        {icon}
      </NavLink>
    </Tooltip>
  )
}
