import { Budget, BudgetSpent, TURN_UNITS } from '../budget'
import { EngineError } from '../errors'
import type { ChannelTraits } from '../flow/capabilities'
import type { Signal, StartEvent } from '../flow/conversation'
import type { Reply } from '../flow/effects'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { detectIntent, detectsAlways, type Interruption } from './intents'
import type { Program } from './program'
import type { RuntimeEffect } from './runBlock'
import type { Place, Session, TurnResult } from './session'
import { TurnState } from './turnState'
import type { Watch } from './watch'

export type TurnInput = { type: 'start'; event: StartEvent } | { type: 'reply'; reply: Reply } | { type: 'continue' }

const fits = { start: 'new', reply: 'waiting', continue: 'paused' } as const

/**
 * A session before its first turn.
 * @param variables known initial values, by variable id
 * @param channel what its channel can do; absent: everything
 * @param from the block to start at, in any of the flows, instead of a matching trigger
 */
export const newSession = (
  program: Program,
  variables: Variables = {},
  from: Place | null = null,
  channel?: ChannelTraits,
): Session => ({
  status: 'new',
  at: from && { groupId: from.groupId, blockId: from.blockId },
  flowId: from?.flowId ?? null,
  variables: { ...program.flow(from?.flowId ?? null)?.variables, ...variables },
  journal: [],
  said: 0,
  entries: 0,
  request: null,
  listen: null,
  cutIn: null,
  frames: [],
  ...(channel && { channel }),
})

/**
 * One turn: from an input to the next wait, or to the end. Pure: the given session is not changed, and everything that
 * the turn needs from outside is yielded. The same session, input and answers give the same result.
 *
 * A reply that nothing waits for (a text during a wait, a timeout of a question without one) changes nothing: the
 * returned session equals the given one.
 *
 * If `watch` says so, the turn ends before a block: the returned session is `paused`, and a turn with `continue`
 * resumes it.
 *
 * All work is charged to one budget; when that is spent, the turn is stopped (`stopped`).
 *
 * Throws REPLY_UNEXPECTED when the input does not fit the session's status; nothing else, whatever the flow contains.
 */
export function* turn(
  program: Program,
  session: Session,
  input: TurnInput,
  watch: Watch = {},
  budget: Budget = new Budget(TURN_UNITS),
): Generator<RuntimeEffect, TurnResult, Json> {
  if (session.status !== fits[input.type]) {
    throw new EngineError('REPLY_UNEXPECTED', `Its status is '${session.status}'.`)
  }
  const state = new TurnState(program, session, watch)
  const steps = goThrough(program, session, input, state)
  try {
    let next = budget.during(() => steps.next())
    while (!next.done) {
      const answer = yield next.value
      next = budget.during(() => steps.next(answer))
    }
    return next.value
  } catch (error) {
    if (error instanceof BudgetSpent) return state.giveUp()
    throw error
  }
}

/** The result of a turn that exceeded limits of time or memory: as if its budget had been spent at once. */
export const abandonTurn = (program: Program, session: Session): TurnResult => new TurnState(program, session).giveUp()

function* goThrough(
  program: Program,
  session: Session,
  input: TurnInput,
  state: TurnState,
): Generator<RuntimeEffect, TurnResult, Json> {
  if (input.type === 'start' && !session.at) {
    const block = program.entry(input.event)
    if (!block && !detectsAlways(program)) state.note(null, 'Nothing starts this flow: it has no trigger that fits.')
    return yield* state.run(block && { block, cause: input.event })
  }
  if (input.type !== 'reply') {
    const block = session.at && program.flow(session.flowId)?.blocks.get(session.at.blockId)
    if (!block) {
      state.note(session.at, 'The block to go on at is gone; the conversation has ended.')
      return state.end()
    }
    const paused = input.type === 'continue'
    const begins = input.type === 'start' && block.runnable?.definition.startsOn ? input.event : null
    return yield* state.run({ block, cause: session.cause ?? begins, paused })
  }
  const { open } = session
  if (input.reply.type === 'signal') {
    const called = findCalled(program, session, input.reply)
    if (called) return yield* state.cutIn(called)
    state.note(session.at, 'A call of a trigger that this version of the flow does not have was ignored.')
    return yield* goOnWaiting(program, session, state, null)
  }
  // nobody said it: it is no message, and no intent
  if (input.reply.type === 'event') {
    return yield* goOnWaiting(program, session, state, awaitsEvent(session, input.reply.event) ? input.reply : null)
  }
  const reply = cleanReply(input.reply)
  // when nothing else is asked, what the visitor says is for the people that the conversation is open for
  const interruption = open && !session.at ? null : yield* detectIntent(program, session, reply)
  const taken = isAwaited(session, reply) ? reply : null
  if (interruption || taken) state.hear(reply)
  if (open && reply.type !== 'timeout' && (interruption || taken)) {
    const key = `${session.entries}.${session.journal.length}.open`
    yield { type: 'call', key, service: open.service, request: { action: 'added' } }
  }
  if (interruption) return yield* state.cutIn(interruption)
  if (!session.at && open) return taken ? state.add(open) : state.stayOpen(open)
  if (!session.at) return taken ? state.misunderstand() : state.listen()
  const block = program.flow(session.flowId)?.blocks.get(session.at.blockId)
  if (!block) {
    state.note(session.at, 'The block that waited is gone; the conversation has ended.')
    return state.end()
  }
  return yield* state.goOn(block, taken)
}

/** Whether the question that waits is answered by this event. */
export const awaitsEvent = ({ request }: Pick<Session, 'request'>, event: string): boolean =>
  request !== null && request.input !== 'wait' && request.event === event

/** Passes a reply that is no message to what waits; null: it keeps waiting. */
function* goOnWaiting(
  program: Program,
  { at, flowId, open }: Session,
  state: TurnState,
  reply: Reply | null,
): Generator<RuntimeEffect, TurnResult, Json> {
  const waiting = at && program.flow(flowId)?.blocks.get(at.blockId)
  if (waiting) return yield* state.goOn(waiting, reply)
  return open ? state.stayOpen(open) : state.listen()
}

/**
 * A `wait` accepts only its timeout, a question without a timeout accepts none, and a listening session accepts only
 * texts.
 */
function isAwaited({ at, request }: Session, reply: Reply): boolean {
  if (!at) return reply.type === 'text'
  return reply.type === 'timeout' ? request?.timeout !== undefined : request?.input !== 'wait'
}

/** The trigger that another program calls, in the flow that the conversation is in or in the main one. */
export function findCalled(program: Program, { flowId }: Session, signal: Signal): Interruption | null {
  for (const id of flowId === null ? [flowId] : [flowId, null]) {
    const flow = program.flow(id)
    const trigger = flow?.blocks.get(signal.trigger)
    const rules = trigger?.runnable?.definition.signals?.(trigger.runnable.data)
    if (!flow || !trigger || !rules) continue
    const { trigger: block, values } = signal
    return { trigger, flow, intent: rules, cause: { type: 'start', signal: { trigger: block, values } } }
  }
  return null
}

const cleanReply = (reply: Reply): Reply =>
  reply.type === 'text' ? { type: 'text', text: cleanText(reply.text) } : reply
