import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useAccount, useCan } from '../api/account'
import { ProjectTile } from '../ui/ProjectTile'
import { Tooltip } from '../ui/Tooltip'
import { chatbotPlaces, type Place, projectPlaces } from './places'
import styles from './Rail.module.css'
import { UserMenu } from './UserMenu'

/** The navigation as a strip of icons, for screens that need the width. */
export function Rail() {
  const { t } = useTranslation()
  const { project, chatbot } = useAccount().user
  const home = `/projects/${project?.gid}`
  return (
    <nav className={styles.rail} aria-label={t('nav.label')}>
      <RailLink
        to="/projects"
        label={project?.name ?? t('nav.projects')}
        icon={<ProjectTile name={project?.name ?? ''} />}
      />
      {projectPlaces.map((place) => !place.wideOnly && <RailPlace key={place.path} home={home} place={place} />)}
      <hr className={styles.rule} />
      {chatbot &&
        chatbotPlaces.map((place) => (
          <RailPlace key={place.path} home={`${home}/chatbots/${chatbot.gid}`} place={place} />
        ))}
      <span className={styles.gap} />
      <UserMenu slim />
    </nav>
  )
}

function RailPlace({ home, place: { path, feature, text, Icon } }: { home: string; place: Place }) {
  const { t } = useTranslation()
  return useCan(feature) ? <RailLink to={home + path} label={t(`nav.${text}`)} icon={<Icon />} /> : null
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
