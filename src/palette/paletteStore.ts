import { useEffect, useLayoutEffect } from 'react'
import { create } from 'zustand'
import { pressed } from '../canvas/keyboard/chord'
import { hasOwnKeys } from '../canvas/keyboard/targets'
import type { FinderSection } from '../ui/finder/Finder'

interface PaletteState {
  open: boolean
  owners: number
  /** what the screen adds to it */
  sections: readonly FinderSection[]
}

/** The app-wide palette: whether it is open, how many screens replace it by their own, and what the screen adds. */
export const usePaletteStore = create<PaletteState>(() => ({ open: false, owners: 0, sections: [] }))

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
 * texts, so that a palette requested earlier opens when they are loaded.
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
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
