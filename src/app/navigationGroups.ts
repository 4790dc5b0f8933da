import { create } from 'zustand'
import { closedAtFirst, type PlaceGroup } from './places'

const KEY = 'parley-navigation'

/** The groups that somebody opened (true) or closed on this device; the others are as at first. */
const useGroups = create<Partial<Record<PlaceGroup, boolean>>>(remembered)

export const useGroupOpen = (group: PlaceGroup): boolean => useGroups((chosen) => chosen[group] ?? isOpenAtFirst(group))

/** Opens or closes a group of the navigation, and remembers it. @param open without it: the other way around */
export function toggleGroup(group: PlaceGroup, open?: boolean): void {
  const chosen = useGroups.getState()
  const next = { ...chosen, [group]: open ?? !(chosen[group] ?? isOpenAtFirst(group)) }
  useGroups.setState(next, true)
  localStorage.setItem(KEY, JSON.stringify(next))
}

const isOpenAtFirst = (group: PlaceGroup) => !closedAtFirst.has(group)

function remembered(): Partial<Record<PlaceGroup, boolean>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter(([, open]) => typeof open === 'boolean'))
  } catch {
    return {}
  }
}
