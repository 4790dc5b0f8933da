import type { Reply } from '../../../engine/flow/effects'
import { goesOnAfterVisit } from '../../../engine/run/callStack'
import type { Program } from '../../../engine/run/program'
import type { Session, TraceStep, TurnResult } from '../../../engine/run/session'

/** What one turn adds to the statistics. Flows are identified by id, the main one by ''. */
export interface TurnPath {
  /** the groups it entered, in order, with repetitions */
  entered: [flow: string, groupId: string][]
  /** the edges it took, as `<block id>/<port id>` */
  taken: [flow: string, edgeId: string][]
  /** the blocks it came to, in order, with repetitions; absent in turns that were stored before blocks were counted */
  reached?: [flow: string, blockId: string][]
  /**
   * How it ended. `waiting`: for an answer; `pausing`: the bot continues by itself; `completed`: the conversation is
   * over, or listens only for intents; `left`: it ended because the visitor did not answer in time, or by a safety
   * limit.
   */
  status: 'waiting' | 'pausing' | 'completed' | 'left'
  /** where it waits, or was left */
  at: { flow: string; groupId: string; blockId: string } | null
  /** whether the visitor caused it, rather than the start or a timer */
  replied: boolean
}

/**
 * Derives a turn's path from its trace. A group counts as entered when the conversation comes from elsewhere or over an
 * edge, not when it continues there after a reply, a sub-flow, or an interrupting intent; a block likewise.
 * @param before the session at the turn's start
 * @param reply what caused it; null for the first turn
 */
export function pathOf(program: Program, before: Session, reply: Reply | null, result: TurnResult): Required<TurnPath> {
  const path = {
    entered: [],
    taken: [],
    reached: [],
    ...endOf(before, reply, result),
    replied: isWords(reply),
  } as Required<TurnPath>
  const begun = new Set(before.frames.map(keyOf))
  let here = before.at ? groupKey({ flowId: before.flowId, ...before.at }) : null
  if (before.at) begun.add(keyOf({ flowId: before.flowId, ...before.at }))
  let overEdge = false
  for (const [index, step] of result.trace.entries()) {
    // a note without a block
    if (step.blockId === '') continue
    const goesOn = begun.delete(keyOf(step))
    if (!goesOn && (overEdge || groupKey(step) !== here)) path.entered.push([step.flowId ?? '', step.groupId])
    if (!goesOn) path.reached.push([step.flowId ?? '', step.blockId])
    here = groupKey(step)
    const edge = edgeOf(program, step)
    if (edge) path.taken.push([step.flowId ?? '', edge])
    overEdge = edge !== null
    const next = result.trace[index + 1]
    // it entered another flow or part, and continues when that is over
    if (step.port === null && next && (next.flowId !== step.flowId || visits(program, step))) begun.add(keyOf(step))
  }
  return path
}

function endOf(
  before: Session,
  reply: Reply | null,
  { session, stopped }: TurnResult,
): Pick<TurnPath, 'status' | 'at'> {
  if (stopped) return { status: 'left', at: placeOf(stopped.at) }
  const asked = before.request && before.request.input !== 'wait' ? before.at : null
  if (session.status === 'ended') {
    return reply?.type === 'timeout' && asked
      ? { status: 'left', at: placeOf({ flowId: before.flowId, ...asked }) }
      : { status: 'completed', at: null }
  }
  if (!session.at) return { status: session.entries > 0 ? 'completed' : 'waiting', at: null }
  const at = placeOf({ flowId: session.flowId, ...session.at })
  return { status: session.request?.input === 'wait' ? 'pausing' : 'waiting', at }
}

function visits(program: Program, { flowId, blockId }: TraceStep): boolean {
  const block = program.flow(flowId)?.blocks.get(blockId)
  return block !== undefined && goesOnAfterVisit(block)
}

/** The edge that a step was left by: its port's, or its fallback port's. */
function edgeOf(program: Program, { flowId, blockId, port }: TraceStep): string | null {
  if (port === null) return null
  const block = program.flow(flowId)?.blocks.get(blockId)
  if (block?.edges.has(port)) return `${blockId}/${port}`
  const fallback = block?.runnable?.ports.get(port)?.fallback
  return fallback !== undefined && block?.edges.has(fallback) ? `${blockId}/${fallback}` : null
}

type Spot = Pick<TraceStep, 'flowId' | 'groupId' | 'blockId'>
const UNSAID: ReadonlySet<Reply['type']> = new Set(['timeout', 'signal', 'event'])
const isWords = (reply: Reply | null) => reply !== null && !UNSAID.has(reply.type)
const placeOf = ({ flowId, groupId, blockId }: Spot) => ({ flow: flowId ?? '', groupId, blockId })
const keyOf = ({ flowId, blockId }: Pick<Spot, 'flowId' | 'blockId'>) => `${flowId ?? ''}/${blockId}`
const groupKey = ({ flowId, groupId }: Spot) => `${flowId ?? ''}/${groupId}`
