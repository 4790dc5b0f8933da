import { createContext, use } from 'react'
import type { ActionConfig, ActionKind, AgentAction } from '../../../engine/values/agentActions'

/** The state of an action's form: values, and errors by field (`config.url`). */
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

/** The kind-specific part of the draft, and its setter. */
export function useConfig<Kind extends ActionKind>(_kind: Kind) {
  const { action, change } = useDraft()
  const config = action.config as ActionConfig<Kind>
  const set = (part: Partial<ActionConfig<Kind>>) => change({ config: { ...config, ...part } } as Partial<AgentAction>)
  return { config, set }
}
