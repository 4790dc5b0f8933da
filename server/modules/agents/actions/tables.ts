import type { ColumnType, Generated } from 'kysely'
import type { ActionFrequency, ActionKind, ActionParameter, AgentAction } from '../../../../engine/values/agentActions'
import type { Json } from '../../../../engine/values/json'

/** Rows of chatbots' actions (migration 0024). */
declare module '../../../platform/database/tables' {
  interface Database {
    agent_actions: AgentActionsTable
    agent_action_uses: AgentActionUsesTable
  }
}

export interface AgentActionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  kind: ActionKind
  name: string
  description: string
  frequency: ActionFrequency
  parameters: ColumnType<ActionParameter[], string, string>
  save_to: string | null
  config: ColumnType<AgentAction['config'], string, string>
  /** header values, by server/modules/agents/actions/headerSecrets.ts; null: none is confidential */
  sealed_headers: string | null
  enabled: boolean
  position: number
  created_by: string | null
  created_at: Date
  updated_at: Date
}
/** Each use of an action. */
export interface AgentActionUsesTable {
  id: Generated<string>
  project_id: string
  action_id: string
  /** names the conversation, in the playground too */
  talk: string
  /** null: in the playground */
  conversation_id: string | null
  key: string
  once: boolean
  /** `asked`: no use, the visitor was asked whether it shall be done; `answer` is then the key of that answer */
  state: 'running' | 'done' | 'failed' | 'asked'
  answer: ColumnType<Json, string | null, string | null>
  saved: ColumnType<Json, string | null | undefined, string | null>
  used_at: Date
}
