import { useEffect } from 'react'
import { create } from 'zustand'

/** The palette of all screens: whether it is open, and how many screens have one of their own in its place. */
export const usePaletteStore = create(() => ({ open: false, owners: 0 }))

/** The palette of all screens stands back as long as this is drawn. */
export function useOwnPalette(): void {
  useEffect(() => {
    usePaletteStore.setState(({ owners }) => ({ open: false, owners: owners + 1 }))
    return () => usePaletteStore.setState(({ owners }) => ({ owners: owners - 1 }))
  }, [])
}
