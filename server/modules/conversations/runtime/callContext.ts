import type { CallContext } from '../../../platform/effects/callContext'
import type { Conversation } from './rows'

/** On whose behalf a call is made, from the row of its turn. @param key of the call within its run */
export function callContextOf(
  row: Conversation,
  key: string,
  how: Pick<CallContext, 'signal' | 'writes' | 'draft'>,
): CallContext {
  const { id, gid, project_id, chatbot_id, environment, channel, started_by, visitor_hash } = row
  return {
    project: { id: project_id },
    chatbot: { id: chatbot_id },
    conversation: {
      id,
      gid,
      // tests don't count against a visitor's budget; a visitor whose browser stores nothing is identified by the
      // conversation
      visitor: started_by === null ? (visitor_hash?.toString('hex') ?? gid) : null,
    },
    run: { id: row.run_id, versionId: row.flow_version_id, variables: row.session.variables },
    environment,
    channel,
    idempotencyKey: callKey(row, key),
    ...how,
  }
}

/**
 * The key of an external call. The engine's keys are unique within a run; a handler serves all conversations. Keys of
 * the first run omit its number.
 */
const callKey = ({ gid, number }: Pick<Conversation, 'gid' | 'number'>, key: string): string =>
  number === 1 ? `${gid}.${key}` : `${gid}.run-${number}.${key}`
