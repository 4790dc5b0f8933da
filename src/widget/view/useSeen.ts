import { useEffect } from 'preact/hooks'
import type { ChatSession } from '../conversation'

/** Tells the session whether its page is looked at. Who frames the chat says whether it is open. */
export function useSeen(session: ChatSession): void {
  useEffect(() => {
    const tell = () => session.setSeen('page', document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [session])
}
