import { createContext, use } from 'react'
import type { ActionConfig, ActionKind, AgentAction } from '../../../engine/values/agentActions'

/** The form of an action: what stands in it, and what is wrong with which field (`config.url`). */
export interface Draft {
  action: AgentAction
  errors: Readonly<Record<string, string>>
  readOnly: boolean
  change(part: Partial<AgentAction>): void
}

export const DraftContext = createContext<Draft | null>(null)

export function useDraft(): Draft {
  const draft = use(DraftContext)
  if (!draft) throw new Error('Fields of an action stand in its editor')
  return draft
}

/** The part of the draft that its kind wants, and how it is changed. */
export function useConfig<Kind extends ActionKind>(_kind: Kind) {
  const { action, change } = useDraft()
  const config = action.config as ActionConfig<Kind>
  const set = (part: Partial<ActionConfig<Kind>>) => change({ config: { ...config, ...part } } as Partial<AgentAction>)
  return { config, set }
}
