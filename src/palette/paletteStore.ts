import { useEffect, useLayoutEffect } from 'react'
import { create } from 'zustand'
import { pressed } from '../canvas/keyboard/chord'
import { hasOwnKeys } from '../canvas/keyboard/targets'
import type { FinderSection } from '../ui/finder/Finder'

interface PaletteState {
  open: boolean
  /** its field takes the keys */
  drawn: boolean
  /** what was typed between its key and that */
  typed: string
  owners: number
  /** what the screen adds to it */
  sections: readonly FinderSection[]
}

/** The app-wide palette: whether it is open, how many screens replace it by their own, and what the screen adds. */
export const usePaletteStore = create<PaletteState>(() => ({
  open: false,
  drawn: false,
  typed: '',
  owners: 0,
  sections: [],
}))

/** Adds rows to the palette, before all others, while a screen is mounted. @param sections memoized */
export function useScreenRows(sections: readonly FinderSection[]): void {
  useEffect(() => {
    usePaletteStore.setState({ sections })
    return () => usePaletteStore.setState({ sections: [] })
  }, [sections])
}

/** Disables the app-wide palette while this is mounted. */
export function useOwnPalette(): void {
  useEffect(() => {
    usePaletteStore.setState(({ owners }) => ({ open: false, owners: owners + 1 }))
    return () => usePaletteStore.setState(({ owners }) => ({ owners: owners - 1 }))
  }, [])
}

/**
 * Ctrl-K opens the palette, from the first render of a screen: called outside the Suspense boundary of the palette's
 * texts, so that a palette requested earlier opens when they are loaded, with what was typed meanwhile.
 */
export function usePaletteKey(): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (usePaletteStore.getState().owners > 0) return
      if (event.defaultPrevented || event.isComposing || !pressed('mod+k', event) || hasOwnKeys(event.target)) return
      event.preventDefault()
      usePaletteStore.setState({ open: true })
    }
    window.addEventListener('keydown', onKey)
    // before the screen takes a letter for one of its keys
    window.addEventListener('keydown', keepTyped, true)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('keydown', keepTyped, true)
    }
  }, [])
}

function keepTyped(event: KeyboardEvent): void {
  const { open, drawn, owners, typed } = usePaletteStore.getState()
  if (!open || drawn || owners > 0 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.key === 'Escape') usePaletteStore.setState({ open: false, typed: '' })
  else if (event.key === 'Backspace') usePaletteStore.setState({ typed: typed.slice(0, -1) })
  else if ([...event.key].length === 1) usePaletteStore.setState({ typed: typed + event.key })
  else return
  event.preventDefault()
  event.stopPropagation()
}
