import type { PlaygroundDebug } from '../../../contracts/playground'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { presentConversation } from '../../conversations/chat/presenter'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import type { RunRef, Transcript } from '../../conversations/runtime/rows'
import type { ReceivedTurn } from '../../conversations/tables'
import { placeEffects, readEffects } from './effects'

/**
 * A conversation as its tester sees it: the messages, every step since the start, and the variables under their names
 * of that time.
 * @param upTo the turn to show; absent: the present state
 * @throws ApiError not_found if there is no such turn
 */
export async function presentTest(
  { db }: { db: Db },
  runtime: Pick<Runtime, 'variables'>,
  ref: RunRef,
  transcript: Transcript,
  upTo?: number,
): Promise<{ conversation: ReturnType<typeof presentConversation>; debug: PlaygroundDebug }> {
  const [row, records, calls] = await Promise.all([
    db
      .selectFrom('runs')
      .select(['flow_version_id', 'carries_out'])
      .where('id', '=', ref.run_id)
      .where('project_id', '=', ref.project_id)
      .executeTakeFirst(),
    db
      .selectFrom('turn_records')
      .select(['turn', 'trace', 'variables', 'stopped', 'received', 'session', 'last_seq', 'took'])
      .where('run_id', '=', ref.run_id)
      .where('project_id', '=', ref.project_id)
      .orderBy('turn')
      .execute(),
    readEffects(db, ref),
  ])
  const shown = upTo === undefined ? records : records.filter(({ turn }) => turn <= upTo)
  const last = shown.at(-1)
  if (!row || (upTo !== undefined && last?.turn !== upTo)) throw new ApiError('not_found')
  const asItWas = upTo === undefined ? transcript : cutAt(transcript, last)
  const { session, state } = asItWas
  const { at, flowId } = session
  const variables = await runtime.variables(ref.project_id, row.flow_version_id)
  const present = variables.get(flowId) ?? variables.get(null) ?? []
  const place = state === 'waiting' && at ? { flowId, groupId: at.groupId, blockId: at.blockId } : null
  const isPaused = session.status === 'paused'
  const debug: PlaygroundDebug = {
    active: isPaused ? null : place,
    paused: isPaused ? place : null,
    turns: records.map(({ turn, received, last_seq, took }) => ({
      turn,
      by: beganBy(turn, received),
      last_seq: last_seq ?? 0,
      took,
      ...(received?.set && { set: received.set }),
    })),
    turn: last?.turn ?? 0,
    path: shown.flatMap((record) => record.trace.map((step) => ({ ...step, turn: record.turn }))),
    carries_out: row.carries_out,
    effects: placeEffects(shown, calls),
    variables: present.map(({ id, name }) => ({ id, name, value: last?.variables[id] ?? null })),
    names: Object.fromEntries([...variables.values()].flat().map(({ id, name }) => [id, name])),
    stopped: last?.stopped ?? null,
  }
  return { conversation: presentConversation(null, asItWas), debug }
}

type Last = { session: Transcript['session'] | null; last_seq: number | null }

function cutAt(transcript: Transcript, last: Last | undefined): Transcript {
  // from before turns were stored completely
  if (!last?.session) throw new ApiError('not_found')
  const { session, last_seq } = last
  const messages = transcript.messages.filter(({ seq }) => seq <= (last_seq ?? 0))
  return { ...transcript, session, messages, state: session.status === 'ended' ? 'ended' : 'waiting' }
}

function beganBy(turn: number, received: ReceivedTurn | null): PlaygroundDebug['turns'][number]['by'] {
  if (turn === 0) return 'start'
  if (received?.continued) return 'continue'
  if (received?.set) return 'edit'
  return received?.reply?.type === 'timeout' ? 'timeout' : 'reply'
}
