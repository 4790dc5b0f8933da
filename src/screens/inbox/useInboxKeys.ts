import { useEffect, useRef } from 'react'

/** What a key does, by the key. */
export type InboxKeys = Readonly<Record<string, () => void>>

/** Where keys are typed, or mean something else. */
const TYPED = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]'

/** Single keys, while nothing is typed into and no dialog or menu is open. */
export function useInboxKeys(keys: InboxKeys): void {
  const present = useRef(keys)
  useEffect(() => {
    present.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const target = event.target instanceof HTMLElement ? event.target : null
      if (target?.closest(TYPED)) return
      const act = present.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
