import { createContext, useContext } from 'react'
import type { Chatbot } from '../../../server/contracts/chatbots'
import type { ListedFlow } from '../../../server/contracts/flows'
import type { Comparison } from './compare/comparison'
import type { ShownPlace } from './showPlace'
import type { Problems } from './useProblems'

/** Shared by the builder's panels: the place, and navigation. The flow itself comes from `useEditor`. */
export interface BuilderValue {
  pgid: string
  chatbot: Chatbot
  /** the open flow */
  fid: string
  /** all flows of the chatbot */
  flows: readonly ListedFlow[]
  problems: Problems
  /** selects a place in any flow, and brings it into view */
  showPlace: (place: ShownPlace) => void
  /** opens another flow after this one is stored */
  openFlow: (fid: string) => void
  /** the open panel beside the canvas */
  panel: string | null
  /** opens a panel of panelTable by its id; null closes the open one */
  openPanel: (id: string | null) => void
  /** opens a side panel, or brings it to the front */
  showPanel: (id: string) => void
  /** shows a comparison of two states, or one older state, instead of the canvas; null returns to the draft */
  compare: (shown: Comparison | null) => void
  /** resolves when the last edits are on the server */
  whenSaved: () => Promise<void>
}

export const BuilderContext = createContext<BuilderValue | null>(null)

/** Throws outside the builder. */
export function useBuilder(): BuilderValue {
  const value = useContext(BuilderContext)
  if (!value) throw new Error('useBuilder needs the builder around it')
  return value
}
