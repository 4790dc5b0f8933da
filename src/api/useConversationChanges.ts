import { useEffect, useRef } from 'react'
import { openEvents } from './openEvents'

/** Called back at most this often, however much is said. */
const WAIT_MS = 800

/**
 * Calls back when conversations of a project have changed: what is on the screen is to be read again. After a lost
 * connection it does so as well, as nobody told meanwhile.
 */
export function useConversationChanges(pgid: string, onChange: () => void): void {
  const tell = useRef(onChange)
  useEffect(() => {
    tell.current = onChange
  })
  useEffect(() => {
    let isFirst = true
    let timer: ReturnType<typeof setTimeout> | null = null
    function change(): void {
      timer ??= setTimeout(() => {
        timer = null
        tell.current()
      }, WAIT_MS)
    }
    function hear(event: Event): void {
      // the browser's own event has no data
      if (!('data' in event)) return
      if (!isFirst) change()
      isFirst = false
    }
    const listen = (events: EventSource) => {
      events.addEventListener('open', hear)
      events.addEventListener('changed', change)
    }
    const end = openEvents(pgid, listen, change)
    return () => {
      end()
      if (timer) clearTimeout(timer)
    }
  }, [pgid])
}
