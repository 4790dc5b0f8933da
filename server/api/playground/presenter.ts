import type { ServerContext } from '../../context'
import type { ConversationRef } from '../../host/rows'
import type { PlaygroundDebug } from './contract'

/** What a tester sees beside the conversation: every step since the start, and the variables by the names they had then. */
export async function presentDebug({ db }: ServerContext, ref: ConversationRef): Promise<PlaygroundDebug> {
  const [conversation, records] = await Promise.all([
    db
      .selectFrom('conversations')
      .innerJoin('flow_versions', (join) =>
        join
          .onRef('flow_versions.id', '=', 'conversations.flow_version_id')
          .onRef('flow_versions.project_id', '=', 'conversations.project_id'),
      )
      .select(['conversations.session', 'conversations.state', 'flow_versions.flow', 'flow_versions.flows'])
      .where('conversations.id', '=', ref.id)
      .where('conversations.project_id', '=', ref.project_id)
      .executeTakeFirst(),
    db
      .selectFrom('turn_records')
      .select(['turn', 'trace', 'variables', 'stopped'])
      .where('conversation_id', '=', ref.id)
      .where('project_id', '=', ref.project_id)
      .orderBy('turn')
      .execute(),
  ])
  const last = records.at(-1)
  const values = last?.variables ?? {}
  if (!conversation) return { active: null, path: [], variables: [], names: {}, stopped: null }
  const { session, state, flow: main, flows } = conversation
  const { at, flowId } = session
  const present = (flowId === null ? null : flows[flowId]) ?? main
  const variables = [main, ...Object.values(flows)].flatMap((flow) => flow.variables)
  return {
    active: state === 'waiting' && at ? { flowId, groupId: at.groupId, blockId: at.blockId } : null,
    path: records.flatMap((record) => record.trace.map((step) => ({ ...step, turn: record.turn }))),
    variables: present.variables.map(({ id, name }) => ({ id, name, value: values[id] ?? null })),
    names: Object.fromEntries(variables.map(({ id, name }) => [id, name])),
    stopped: last?.stopped ?? null,
  }
}
