import type { Recording } from '../../../../engine/run/recordingFormat'
import { bareRecording } from '../../../../engine/run/recordingReplay'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import type { Conversation } from '../../conversations/runtime/rows'
import type { ReceivedTurn } from '../../conversations/tables'
import type { Drafts } from '../../flows/drafts/createDrafts'
import { storedVersion } from '../../flows/versions/readFlows'

/**
 * A tester's conversation as a recording, up to now or to a turn: its inputs, replayed on the version that it ran on.
 * @throws ApiError conflict during a turn, or if it started before turns were stored completely
 */
export async function keepConversation(
  context: { db: Db } & { drafts: Drafts },
  runtime: Runtime,
  row: Conversation,
  { name, turn }: { name: string; turn?: number | undefined },
): Promise<Recording> {
  if (row.state === 'running') {
    throw new ApiError('conflict', {
      message: 'The chatbot is still answering. Save the conversation when it is done.',
    })
  }
  const turns = await context.db
    .selectFrom('turn_records')
    .select(['received', 'session'])
    .where('run_id', '=', row.run_id)
    .where('project_id', '=', row.project_id)
    .$if(turn !== undefined, (query) => query.where('turn', '<=', turn ?? 0))
    .orderBy('turn')
    .execute()
  const received = turns.flatMap((one) => one.received ?? [])
  if (received.length === 0 || received.length < turns.length) {
    throw new ApiError('conflict', { message: 'This conversation can’t be saved. Restart the preview and repeat it.' })
  }
  const by = whatNoVisitorDoes(received)
  if (by) throw new ApiError('conflict', { message: by })
  const { status } = turns.at(-1)?.session ?? row.session
  if (status === 'paused') throw new ApiError('conflict', { message: PAUSED })
  const version = await storedVersion(context, { id: row.flow_version_id, projectId: row.project_id })
  const { intents } = await context.drafts.work(row.project_id, 'cut', { version })
  const replay = await runtime.replays(row.project_id, version, intents)
  const { present } = await replay(
    bareRecording({
      name,
      event: row.start_event,
      variables: received[0]?.variables ?? {},
      turns: withoutPauses(received),
    }),
  )
  return present
}

const PAUSED = 'The test is paused in the middle of a turn. Let it continue first, then keep the conversation.'

/** Why a conversation is not a visitor's: a test must start where visitors start, and set nothing by hand. */
function whatNoVisitorDoes(received: readonly ReceivedTurn[]): string | null {
  if (received[0]?.from) {
    return 'This conversation began at a block of your choice, where no visitor begins. Start the test from the beginning and repeat it to keep it.'
  }
  const edited = received.findIndex(({ set }) => set !== undefined)
  if (edited < 0) return null
  return `Variables were set by hand in turn ${edited + 1}, which a replay can’t do. Let the bot set them, then keep the conversation.`
}

/** Joins the parts of turns that were paused. */
function withoutPauses(received: readonly ReceivedTurn[]): ReceivedTurn[] {
  const whole: ReceivedTurn[] = []
  for (const turn of received) {
    const last = whole.at(-1)
    if (turn.continued && last) whole[whole.length - 1] = { ...last, answers: [...last.answers, ...turn.answers] }
    else whole.push(turn)
  }
  return whole
}
