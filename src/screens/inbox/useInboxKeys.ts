import { useEffect, useRef } from 'react'
import { actOfKey, type InboxKeys } from './actOfKey'

/** Single keys, while nothing is typed into and no dialog or menu is open. */
export function useInboxKeys(keys: InboxKeys): void {
  const present = useRef(keys)
  useEffect(() => {
    present.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = actOfKey(present.current, event)
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
