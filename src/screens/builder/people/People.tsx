import { Eye, EyeOff, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Action, useProvideActions } from '../../../canvas/actionRegistry'
import { showOthers } from '../../../canvas/canvasStore'
import { useCanvasState, useEditor } from '../../../canvas/context'
import { follow } from '../../../canvas/presence/follow'
import type { Presence } from '../../../collab/presence'
import { Avatar } from '../../../ui/Avatar'
import { Popover } from '../../../ui/Popover'
import { personColor } from '../../../ui/personColor'
import { Switch } from '../../../ui/Switch'
import { Tooltip } from '../../../ui/Tooltip'
import styles from './People.module.css'
import { PeopleList } from './PeopleList'
import { useFollow, usePeople } from './usePeople'

/** The most avatars in the header; the list has everybody. */
const AVATARS = 4

/** Others who have the flow open; hidden if nobody has. */
export function People() {
  const { presence } = useEditor()
  return presence ? <Here presence={presence} /> : null
}

function Here({ presence }: { presence: Presence }) {
  const { store } = useEditor()
  const { t } = useTranslation('presence')
  const people = usePeople(presence)
  const { follows, toggle } = useFollow(presence)
  const [open, setOpen] = useState(false)
  const othersShown = useCanvasState((state) => state.othersShown)
  usePeopleActions(presence, setOpen)
  const others = people.filter(({ me }) => !me)
  const viewers = others.filter(({ person }) => person.viewer).length
  const more = others.length - AVATARS
  if (others.length === 0) {
    if (open) setOpen(false)
    return null
  }
  return (
    <div className={styles.people}>
      {others.slice(0, AVATARS).map((present) => {
        const { id, name, color, viewer } = present.person
        const role = t(viewer ? 'role.views' : 'role.edits')
        return (
          <Tooltip key={id} label={t(follows(present) ? 'avatar.followed' : 'avatar.tooltip', { name, role })}>
            <button
              type="button"
              className={styles.avatar}
              style={personColor(present.person)}
              aria-label={t('follow.person', { name, role })}
              aria-pressed={follows(present)}
              onClick={() => toggle(present)}
            >
              <Avatar name={name} color={color} />
            </button>
          </Tooltip>
        )
      })}
      <Popover opened={open} onChange={setOpen} position="bottom-end" width={300} shadow="lg" trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={styles.all}
            aria-label={t('list.open', { count: others.length })}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Users size={15} aria-hidden className={styles.icon} />
            <span className={styles.number}>{others.length}</span>
            {more > 0 && <span className={styles.more}>+{more}</span>}
            {viewers > 0 && <span className={styles.viewers}>{t('viewers', { count: viewers })}</span>}
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('list.title')} className={styles.card}>
          <h2>{t('list.title')}</h2>
          <PeopleList presence={presence} onFollow={() => setOpen(false)} />
          <Switch
            className={styles.setting}
            checked={othersShown}
            label={t('list.pointers')}
            onChange={(event) => showOthers(store, event.currentTarget.checked)}
          />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

function usePeopleActions(presence: Presence, setOpen: (open: boolean) => void): void {
  const { store } = useEditor()
  const actions = useMemo((): Action[] => {
    const view = { section: 'view', writes: false } as const
    return [
      {
        ...view,
        id: 'showPeople',
        icon: Users,
        enabled: () => presence.peers().size > 0,
        needs: 'others',
        run: () => setOpen(true),
      },
      {
        ...view,
        id: 'stopFollowing',
        // handled by useFollowing, before other uses of the key
        keys: ['Escape'],
        native: true,
        icon: EyeOff,
        enabled: () => store.getState().following !== null,
        needs: 'following',
        run: () => follow(store, null),
      },
      {
        ...view,
        id: 'hidePointers',
        icon: EyeOff,
        enabled: () => store.getState().othersShown,
        run: () => showOthers(store, false),
      },
      {
        ...view,
        id: 'showPointers',
        icon: Eye,
        enabled: () => !store.getState().othersShown,
        run: () => showOthers(store, true),
      },
    ]
  }, [presence, store, setOpen])
  useProvideActions(actions)
}
