import type { KeyboardEvent } from 'react'
import { toggleGroup } from './navigationGroups'
import type { PlaceGroup } from './places'

/**
 * Arrow keys in the navigation, beside Tab: Down, Up, Home and End move; Right opens the group of a heading; Left
 * closes it, and leads from a place to its heading.
 */
export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('a[href], button')]
  const at = stops.indexOf(event.target as HTMLElement)
  const here = stops[at]
  // a menu's button, and its entries elsewhere on the page, have keys of their own
  if (!here || here.ariaHasPopup) return
  const group = here.dataset.group as PlaceGroup | undefined
  switch (event.key) {
    case 'ArrowDown':
      stops[at + 1]?.focus()
      break
    case 'ArrowUp':
      stops[at - 1]?.focus()
      break
    case 'Home':
      stops[0]?.focus()
      break
    case 'End':
      stops.at(-1)?.focus()
      break
    case 'ArrowRight':
      if (group) toggleGroup(group, true)
      break
    case 'ArrowLeft':
      if (group) toggleGroup(group, false)
      else headingOf(here)?.focus()
      break
    default:
      return
  }
  event.preventDefault()
}

const headingOf = (entry: HTMLElement) =>
  entry.closest('li')?.parentElement?.closest('li')?.querySelector<HTMLElement>('[data-group]')
