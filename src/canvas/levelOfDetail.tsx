import { createContext, type ReactNode, useContext } from 'react'
import { useZoomBelow } from './adapter'

const SIMPLE_BELOW = 0.4
const SimplifiedContext = createContext(false)

/** One subscriber to the zoom for all groups: below 40 % they are drawn as title and bars. */
export function LevelOfDetail({ children }: { children: ReactNode }) {
  return <SimplifiedContext.Provider value={useZoomBelow(SIMPLE_BELOW)}>{children}</SimplifiedContext.Provider>
}

export const useSimplified = (): boolean => useContext(SimplifiedContext)
