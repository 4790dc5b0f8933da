import { useEffect } from 'react'
import { create } from 'zustand'
import { myNotificationEvents, newsSchema } from '../../server/contracts/personalNotifications'
import { streamRoute } from '../api/client'
import { ApiFailure } from '../api/failure'
import { createHearing } from './hearing'
import { lazily } from './lazily'

/** How many notifications of the open project are not seen; `newest` is the id of the newest of them. */
export const useNewsStore = create<{ unseen: number; newest: string | null }>(() => ({ unseen: 0, newest: null }))

const FIRST_WAIT = 2_000
const LONGEST_WAIT = 60_000

/** Follows the account's notifications in a project, while this page is one that hears them (hearing.ts). */
export function useNotificationNews(pgid: string | undefined): void {
  useEffect(() => {
    if (!pgid) return
    useNewsStore.setState({ unseen: 0, newest: null })
    let following: AbortController | null = null
    const page = { isHidden: () => document.visibilityState === 'hidden', locks: navigator.locks }
    const hearing = createHearing(`parley:notifications:${pgid}`, page, (isHearing) => {
      following?.abort()
      following = isHearing ? new AbortController() : null
      if (following) void follow(pgid, following.signal)
    })
    hearing.look()
    document.addEventListener('visibilitychange', hearing.look)
    return () => {
      document.removeEventListener('visibilitychange', hearing.look)
      hearing.leave()
    }
  }, [pgid])
}

async function follow(pgid: string, signal: AbortSignal): Promise<void> {
  // what was there before is no news
  let first = true
  for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      await streamRoute(myNotificationEvents, { params: { pgid }, signal }, ({ event, data }) => {
        if (event !== 'update') return
        const { unseen, newest } = newsSchema.parse(JSON.parse(data))
        const before = useNewsStore.getState()
        useNewsStore.setState({ unseen, newest: newest?.id ?? null })
        const isNew = newest && (before.newest === null || BigInt(newest.id) > BigInt(before.newest))
        if (isNew && !first && unseen > before.unseen) void lazily.announce(pgid, newest)
        first = false
        wait = FIRST_WAIT
      })
    } catch (error) {
      // who lost the project or is logged out has no news
      if (error instanceof ApiFailure && [401, 403, 404].includes(error.status ?? 0)) return
    }
    await pause(wait * (0.5 + Math.random()), signal)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
