import { sql } from 'kysely'
import { type TestEffect, testEffectsOf } from '../../../../engine/flow/testEffects'
import type { Session, TraceStep } from '../../../../engine/run/session'
import type { Json } from '../../../../engine/values/json'
import type { PlaygroundDebug } from '../../../contracts/playground'
import type { Db } from '../../../platform/database/database'
import type { RunRef } from '../../conversations/runtime/rows'
import type { ReceivedTurn } from '../../conversations/tables'

/** Characters of a text in the overview; the step has the full text. */
const SHOWN = 2_000

/** A test's calls that changed something outside, or would have, in order. */
export function readEffects(db: Db, ref: RunRef) {
  return db
    .selectFrom('effects')
    .select(['turn', 'key', 'result'])
    .where('run_id', '=', ref.run_id)
    .where('project_id', '=', ref.project_id)
    .where('type', '=', 'call')
    .where('status', '=', 'done')
    .where(sql<boolean>`result -> 'testEffects' is not null`)
    .orderBy('turn')
    .orderBy('position')
    .execute()
}

interface ShownTurn {
  turn: number
  trace: TraceStep[]
  received: ReceivedTurn | null
  session: Session | null
  last_seq: number | null
}

/** Assigns each effect to its step, and to the message it followed. */
export function placeEffects(
  turns: readonly ShownTurn[],
  calls: readonly { turn: number; key: string | null; result: Json }[],
): PlaygroundDebug['effects'] {
  return calls.flatMap(({ turn, key, result }) => {
    const at = turns.findIndex((one) => one.turn === turn)
    const own = turns[at]
    if (!own) return []
    const before = turns[at - 1]
    const index = stepOf(own, before, key)
    const step = own.trace[index]
    if (!step) return []
    const { flowId, groupId, blockId } = step
    const said = own.trace.slice(0, index).reduce((sum, { messages }) => sum + messages, 0)
    const isReceived = own.received?.reply != null && own.received.reply.type !== 'timeout'
    const after = (before?.last_seq ?? 0) + Number(isReceived) + said
    return testEffectsOf(result).map((effect) => ({
      flowId,
      groupId,
      blockId,
      turn,
      step: index,
      after,
      effect: overview(effect),
    }))
  })
}

/**
 * The key of a call begins with the number of its block's run, which is the step's number in the turn
 * (engine/run/runBlock.ts).
 */
function stepOf({ trace }: ShownTurn, before: ShownTurn | undefined, key: string | null): number {
  const entries = before?.session?.entries ?? 0
  const at = before?.session?.at
  const first = at && trace[0]?.blockId === at.blockId ? entries : entries + 1
  return Math.max(0, Math.min(Number.parseInt(key ?? '', 10) - first, trace.length - 1))
}

function overview(effect: TestEffect): TestEffect {
  if (effect.type === 'http') return { ...effect, body: effect.body?.slice(0, SHOWN) ?? null }
  if (effect.type !== 'mail') return effect
  const { html: _, ...mail } = effect
  return { ...mail, text: mail.text.slice(0, SHOWN) }
}
