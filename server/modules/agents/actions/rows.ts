import type { Selectable } from 'kysely'
import type { AgentAction } from '../../../../engine/values/agentActions'
import type { Db } from '../../../platform/database/database'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import type { AgentActionsTable } from './tables'

export type ActionRow = Selectable<AgentActionsTable>

/** A chatbot's actions in their order. */
export const actionRows = (db: Db, { projectId, chatbotId }: KnowledgePlace) =>
  db
    .selectFrom('agent_actions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .orderBy('position')
    .orderBy('id')

type Stored = Pick<ActionRow, keyof AgentAction>

/** The action of a row, without its header values; its config was validated when it was stored. */
export const actionOf = (row: Stored): AgentAction =>
  ({
    kind: row.kind,
    name: row.name,
    description: row.description,
    frequency: row.frequency,
    parameters: row.parameters,
    save_to: row.save_to,
    config: row.config,
    enabled: row.enabled,
  }) as AgentAction
