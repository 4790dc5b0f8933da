import { useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { leadsTo, tabToFollow } from '../../../canvas/presence/follow'
import type { Presence } from '../../../collab/presence'
import { Avatar } from '../../../ui/Avatar'
import { Button } from '../../../ui/Button'
import styles from './People.module.css'
import { useFollow, usePeople } from './usePeople'

/** Everybody who has the flow open: their rights, and a button to follow them. */
export function PeopleList({ presence, onFollow }: { presence: Presence; onFollow: () => void }) {
  const { t } = useTranslation('presence')
  const people = usePeople(presence)
  const { follows, toggle } = useFollow(presence)
  const standing = useStanding(presence)
  return (
    <ul className={styles.list}>
      {people.map((present) => {
        const { id, name, color, viewer } = present.person
        const followed = follows(present)
        const state = standing.get(id)
        return (
          <li key={id}>
            <Avatar name={name} color={color} size={28} />
            <span className={styles.who}>
              <span className={styles.name}>{present.me ? t('list.you', { name }) : name}</span>
              <span className={styles.role}>
                {t(viewer ? 'role.views' : 'role.edits')}
                {state && ` · ${t(`standing.${state}`)}`}
              </span>
            </span>
            {!present.me && (
              <Button
                size="s"
                aria-label={t(followed ? 'list.stopPerson' : 'list.followPerson', { name })}
                disabled={state !== undefined && !followed}
                onClick={() => {
                  toggle(present)
                  if (!followed) onFollow()
                }}
              >
                {t(followed ? 'follow.stop' : 'follow.start')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Why a person can't be followed, by person; renders again only when that changes. */
function useStanding(presence: Presence): ReadonlyMap<string, 'followsYou' | 'elsewhere'> {
  const read = useCallback(() => {
    const peers = presence.peers()
    const lines = presence.people().flatMap((present) => {
      if (present.me || tabToFollow(present, peers, presence.clientId) !== null) return []
      const followsMe = present.clientIds.some((id) => leadsTo(peers, id, presence.clientId))
      return [[present.person.id, followsMe ? 'followsYou' : 'elsewhere']]
    })
    return JSON.stringify(lines)
  }, [presence])
  return new Map(JSON.parse(useSyncExternalStore(presence.subscribe, read)))
}
