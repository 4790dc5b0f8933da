import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'

/** React Router's key of the page's first entry: there the browser's own focus is right. */
const LOADED = 'default'

/**
 * After each navigation, focuses the new page's first field if the page has asked for one, otherwise its heading, for
 * keyboards and screen readers. If the user has already focused something, that stays.
 */
export function useFocusOnArrival(page: RefObject<HTMLElement | null>, enabled = true): void {
  const { pathname, key } = useLocation()
  const arrived = enabled && key !== LOADED
  // biome-ignore lint/correctness/useExhaustiveDependencies: each path is an arrival, a search within it is none
  useEffect(() => {
    const element = page.current
    if (!element || !arrived) return
    const observer = new MutationObserver(() => look())
    const stop = () => {
      observer.disconnect()
      window.removeEventListener('keydown', stop, true)
      window.removeEventListener('pointerdown', stop, true)
    }
    const look = () => {
      if (focusBegin(element)) stop()
    }
    observer.observe(element, { childList: true, subtree: true })
    window.addEventListener('keydown', stop, true)
    window.addEventListener('pointerdown', stop, true)
    look()
    return stop
  }, [pathname, arrived])
}

/** @returns whether the focus is set; false until there is a heading */
function focusBegin(page: HTMLElement): boolean {
  const { activeElement } = document
  if (activeElement?.closest('[role="dialog"]')) return true
  if (activeElement !== page && page.contains(activeElement)) return true
  return focusHeading(page)
}

function focusHeading(page: HTMLElement): boolean {
  const heading = page.querySelector<HTMLElement>('h1')
  if (!heading) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

/**
 * F6 and Shift+F6 move between the regions of a page: the navigation and the screen. The builder has more regions, and
 * handles them itself.
 */
export function useRegions(
  side: RefObject<HTMLElement | null>,
  page: RefObject<HTMLElement | null>,
  enabled: boolean,
): void {
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return
      if (document.activeElement?.closest('[role="dialog"]')) return
      event.preventDefault()
      const inside = side.current?.contains(document.activeElement)
      if (!inside && side.current && focusLink(side.current)) return
      if (page.current) focusHeading(page.current) || page.current.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [side, page, enabled])
}

/** The link of the current page, otherwise the first one. */
function focusLink(side: HTMLElement): boolean {
  const links = [...side.querySelectorAll<HTMLElement>('a[href], button')].filter((link) => link.checkVisibility())
  const link = links.find((each) => each.ariaCurrent === 'page') ?? links[0]
  link?.focus()
  return link !== undefined
}
