import { createProgram } from '../../../engine/run/program'
import type { Recording } from '../../../engine/run/recordingFormat'
import { recordConversation } from '../../../engine/run/recordingReplay'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { Conversation } from '../../host/rows'
import { trainClassifier } from '../../host/trainClassifier'

/**
 * A tester's conversation so far as a recording: what it got from outside, replayed on the version that it ran on.
 * @throws ApiError conflict while a turn is under way, or when it began before turns were kept whole
 */
export async function keepConversation(
  { db, registry }: Pick<ServerContext, 'db' | 'registry'>,
  row: Conversation,
  name: string,
): Promise<Recording> {
  if (row.state === 'running') {
    throw new ApiError('conflict', { message: 'The bot is at work. Keep the conversation once it has answered.' })
  }
  const [version, turns] = await Promise.all([
    db
      .selectFrom('flow_versions')
      .select(['flow', 'flows'])
      .where('id', '=', row.flow_version_id)
      .where('project_id', '=', row.project_id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('turn_records')
      .select('heard')
      .where('conversation_id', '=', row.id)
      .where('project_id', '=', row.project_id)
      .orderBy('turn')
      .execute(),
  ])
  const heard = turns.flatMap((turn) => turn.heard ?? [])
  if (heard.length === 0 || heard.length < turns.length) {
    throw new ApiError('conflict', { message: 'This conversation can’t be kept: start the test again and repeat it.' })
  }
  const { flow, flows } = version
  const classify = await trainClassifier([flow, ...Object.values(flows)], registry)
  const program = createProgram(flow, registry, { flows, classify })
  return recordConversation(program, {
    name,
    event: row.start_event,
    variables: heard[0]?.variables ?? {},
    turns: heard,
  })
}
