import { useCallback, useEffect, useRef, useState } from 'react'
import { type Presence, showPresence } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'

/** How long somebody is taken to look or to write, without saying so again. */
const LOOKS_MS = 45_000
const TYPES_MS = 6_000
const SAY_LOOKING_MS = 20_000
const SAY_TYPING_MS = 3_000

interface Seen extends Presence {
  until: number
}
/** Who is at a conversation beside oneself. */
export interface Others {
  looking: string[]
  typing: string[]
  visitorTypes: boolean
}

const keyOf = ({ conversation, person }: Presence) => `${conversation} ${person?.gid ?? 'visitor'}`

/** Who looks at conversations and who writes in them, as the stream tells it. */
export function useSeenPresence(me: string | undefined) {
  const [seen, setSeen] = useState<ReadonlyMap<string, Seen>>(new Map())

  useEffect(() => {
    if (seen.size === 0) return
    const next = Math.min(...[...seen.values()].map(({ until }) => until))
    const forget = () => setSeen((all) => new Map([...all].filter(([, { until }]) => until > Date.now())))
    const timer = setTimeout(forget, Math.max(0, next - Date.now()) + 50)
    return () => clearTimeout(timer)
  }, [seen])

  const take = useCallback(
    (presence: Presence) => {
      if (presence.person?.gid === me && me !== undefined) return
      setSeen((all) => {
        const next = new Map(all)
        const lasts = presence.state === 'typing' ? TYPES_MS : LOOKS_MS
        if (presence.state === 'left') next.delete(keyOf(presence))
        else next.set(keyOf(presence), { ...presence, until: Date.now() + lasts })
        return next
      })
    },
    [me],
  )
  const othersAt = (conversation: string): Others => {
    const here = [...seen.values()].filter((one) => one.conversation === conversation)
    const names = (state: Presence['state']) =>
      here.flatMap((one) => (one.state === state ? (one.person?.name ?? []) : []))
    return {
      looking: names('looking'),
      typing: names('typing'),
      visitorTypes: here.some(({ person, state }) => person === null && state === 'typing'),
    }
  }
  return { take, othersAt }
}

/** Says that one looks at a conversation while it is open. @returns to be called as one writes */
export function useOwnPresence(pgid: string, conversation: string): () => void {
  const typedAt = useRef(0)
  const say = useCallback(
    (state: Presence['state']) =>
      void callRoute(showPresence, { params: { pgid, conversation }, body: { state } }).catch(() => undefined),
    [pgid, conversation],
  )
  useEffect(() => {
    say('looking')
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') say('looking')
    }, SAY_LOOKING_MS)
    return () => {
      clearInterval(timer)
      say('left')
    }
  }, [say])
  return useCallback(() => {
    const now = Date.now()
    if (now - typedAt.current < SAY_TYPING_MS) return
    typedAt.current = now
    say('typing')
  }, [say])
}
