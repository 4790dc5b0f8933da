import { createContext, useContext } from 'react'

const SimplifiedContext = createContext(false)

/** Whether groups are zoomed out: then they are drawn as title and bars. */
export const LevelOfDetail = SimplifiedContext.Provider

export const useSimplified = (): boolean => useContext(SimplifiedContext)
