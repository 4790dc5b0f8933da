import { createContext, useContext } from 'react'
import type { Chatbot } from '../../../server/contracts/chatbots'
import type { ListedFlow } from '../../../server/contracts/flows'
import type { Comparison } from './compare/comparison'
import type { ShownPlace } from './showPlace'
import type { Problems } from './useProblems'

/**
 * What the builder's panels share: where one is, and the ways to other places. The flow itself comes from `useEditor`.
 */
export interface BuilderValue {
  pgid: string
  chatbot: Chatbot
  /** the flow that is open */
  fid: string
  /** all flows of the chatbot */
  flows: readonly ListedFlow[]
  problems: Problems
  /** selects a place, in whichever flow it is, and brings it into view */
  showPlace: (place: ShownPlace) => void
  /** leads to another flow once this one is stored */
  openFlow: (fid: string) => void
  /** the panel that is open beside the canvas */
  panel: string | null
  /** opens a panel of panelTable by its id, or with null closes the one that is open */
  openPanel: (id: string | null) => void
  /** opens a side panel, or brings it forward */
  showPanel: (id: string) => void
  /** shows two states of the chatbot, or an older one alone, in the canvas's place; null goes back to the draft */
  compare: (shown: Comparison | null) => void
  /** resolves once the last edits are on the server */
  whenSaved: () => Promise<void>
}

export const BuilderContext = createContext<BuilderValue | null>(null)

/** Throws outside the builder. */
export function useBuilder(): BuilderValue {
  const value = useContext(BuilderContext)
  if (!value) throw new Error('useBuilder needs the builder around it')
  return value
}
