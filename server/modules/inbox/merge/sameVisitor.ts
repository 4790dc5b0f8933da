import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../../platform/database/tables'
import { type FoundConversation, isVisitors } from '../findConversation'

/**
 * Condition: other conversations of the same visitor, or of the same contact, with the same chatbot, that are not
 * merged into another one.
 */
export const isSameVisitor =
  ({ id, project_id, chatbot_id, environment, visitor_hash, channel, address, contact_id }: FoundConversation) =>
  (eb: ExpressionBuilder<Database, 'conversations'>) =>
    eb.and([
      eb('conversations.project_id', '=', project_id),
      eb('conversations.chatbot_id', '=', chatbot_id),
      eb('conversations.environment', '=', environment),
      isVisitors,
      eb('conversations.id', '<>', id),
      eb('conversations.merged_into', 'is', null),
      eb.or([
        ...(visitor_hash === null ? [] : [eb('conversations.visitor_hash', '=', visitor_hash)]),
        ...(address === null
          ? []
          : [eb.and([eb('conversations.channel', '=', channel), eb('conversations.address', '=', address)])]),
        ...(contact_id === null ? [] : [eb('conversations.contact_id', '=', contact_id)]),
      ]),
    ])
