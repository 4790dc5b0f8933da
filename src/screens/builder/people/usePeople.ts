import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanvasState, useEditor } from '../../../canvas/context'
import { follow, leadsTo, tabToFollow } from '../../../canvas/presence/follow'
import type { Presence, Present } from '../../../collab/presence'
import { notify } from '../../../ui/notify'

/** Everybody who has the flow open, oneself first; renders again when somebody joins or leaves. */
export const usePeople = (presence: Presence): readonly Present[] =>
  useSyncExternalStore(presence.subscribePeople, presence.people)

/** Follows somebody's view, or stops; shows a message if that is impossible. */
export function useFollow(presence: Presence) {
  const { store } = useEditor()
  const { t } = useTranslation('presence')
  const followed = useCanvasState(({ following }) => following?.person.id)
  return {
    follows: ({ person }: Present) => person.id === followed,
    toggle(present: Present) {
      const peers = presence.peers()
      if (present.person.id === followed) return follow(store, null)
      const tab = tabToFollow(present, peers, presence.clientId)
      if (tab !== null) return follow(store, peers.get(tab))
      const followsMe = present.clientIds.some((id) => leadsTo(peers, id, presence.clientId))
      notify.neutral(t(followsMe ? 'follow.followsYou' : 'follow.away', { name: present.person.name }))
    },
  }
}
