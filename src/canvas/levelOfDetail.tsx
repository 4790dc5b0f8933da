import { createContext, useContext } from 'react'

const SimplifiedContext = createContext(false)

/** True around groups that are seen from afar: they are drawn as title and bars. */
export const LevelOfDetail = SimplifiedContext.Provider

export const useSimplified = (): boolean => useContext(SimplifiedContext)
