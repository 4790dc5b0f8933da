import { useEffect, useLayoutEffect } from 'react'
import { create } from 'zustand'
import { pressed } from '../canvas/keyboard/chord'
import { hasOwnKeys } from '../canvas/keyboard/targets'

/** The palette of all screens: whether it is open, and how many screens have one of their own in its place. */
export const usePaletteStore = create(() => ({ open: false, owners: 0 }))

/** The palette of all screens stands back as long as this is drawn. */
export function useOwnPalette(): void {
  useEffect(() => {
    usePaletteStore.setState(({ owners }) => ({ open: false, owners: owners + 1 }))
    return () => usePaletteStore.setState(({ owners }) => ({ owners: owners - 1 }))
  }, [])
}

/**
 * Ctrl-K opens the palette, from the first moment a screen can be seen: it is called outside of what waits for the
 * palette's texts, and a palette that was asked for before they are there opens with them.
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
