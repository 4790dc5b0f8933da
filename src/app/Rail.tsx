import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useAccount, useAccountStore } from '../api/account'
import { isAllowed } from '../api/roles'
import { NotificationBell } from '../notifications/NotificationBell'
import { ProjectTile } from '../ui/ProjectTile'
import { Tooltip } from '../ui/Tooltip'
import { HelpLink } from './HelpLink'
import { chatbotPlaces, inGroups, isOffered, type Place, projectPlaces } from './places'
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
      <div className={styles.scroll}>
        <RailPlaces home={home} places={projectPlaces} />
        {chatbot && <RailPlaces home={`${home}/chatbots/${chatbot.gid}`} places={chatbotPlaces} ruled />}
      </div>
      <HelpLink />
      <NotificationBell position="right-end" />
      <UserMenu slim />
    </nav>
  )
}

/** A line stands before each group, which has no heading here. */
function RailPlaces({ home, places, ruled = false }: { home: string; places: readonly Place[]; ruled?: boolean }) {
  const { t } = useTranslation()
  const { user, billing } = useAccount()
  const features = useAccountStore((state) => state.featureRoles)
  const seen = places.filter(
    (place) =>
      !place.wideOnly && isOffered(place, (feature) => isAllowed(feature, user.project_roles, features), billing),
  )
  return inGroups(seen).map(({ group, places: members }, index) => (
    <Fragment key={group ?? ''}>
      {(ruled || index > 0) && <hr className={styles.rule} />}
      {members.map(({ path, text, Icon }) => (
        <RailLink key={path} to={home + path} label={t(`nav.${text}`)} icon={<Icon />} />
      ))}
    </Fragment>
  ))
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
