import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router'
import { useAccount, useAccountStore } from '../api/account'
import { isAllowed } from '../api/roles'
import styles from './Navigation.module.css'
import { toggleGroup, useGroupOpen } from './navigationGroups'
import { inGroups, isOffered, type Place, type PlaceGroup } from './places'

/** The places that the account may see, as entries of a list: those of a group below its heading. */
export function Places({ home, places }: { home: string; places: readonly Place[] }) {
  const { user, billing } = useAccount()
  const features = useAccountStore((state) => state.featureRoles)
  const seen = places.filter((place) =>
    isOffered(place, (feature) => isAllowed(feature, user.project_roles, features), billing),
  )
  return inGroups(seen).map(({ group, places: members }) =>
    group ? (
      <Group key={group} group={group} home={home} places={members} />
    ) : (
      members.map((place) => <Entry key={place.path} home={home} place={place} />)
    ),
  )
}

/** A heading that opens and closes. Closed, it still shows the place where one is. */
function Group({ group, home, places }: { group: PlaceGroup; home: string; places: readonly Place[] }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const open = useGroupOpen(group)
  const id = useId()
  const shown = open ? places : places.filter(({ path }) => isAt(pathname, home + path))
  return (
    <li className={styles.group}>
      <button
        type="button"
        className={styles.heading}
        aria-expanded={open}
        aria-controls={id}
        data-group={group}
        onClick={() => toggleGroup(group)}
      >
        <span className={styles.label}>{t(`nav.groups.${group}`)}</span>
        <ChevronRight className={styles.chevron} />
      </button>
      <ul id={id} className={styles.list} aria-label={t(`nav.groups.${group}`)} hidden={shown.length === 0}>
        {shown.map((place) => (
          <Entry key={place.path} home={home} place={place} />
        ))}
      </ul>
    </li>
  )
}

/** Screens below a place count as being there, as its link is marked then. */
const isAt = (pathname: string, address: string) => pathname === address || pathname.startsWith(`${address}/`)

function Entry({ home, place: { path, text, Icon, exact } }: { home: string; place: Place }) {
  const { t } = useTranslation()
  return (
    <li>
      <NavLink to={home + path} end={exact ?? false} className={styles.entry}>
        <Icon />
        <span className={styles.label}>{t(`nav.${text}`)}</span>
      </NavLink>
    </li>
  )
}
