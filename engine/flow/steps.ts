import { type EffectDefinition, type RequestOf, type ResultOf, resultOf } from '../effects/defineEffect'
import type { DynamicValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import { isBlank, renderText, type Variables } from '../values/render'
import { renderRichText } from '../values/renderRichText'
import type { RichText } from '../values/richText'
import type { SystemVariableId } from '../values/systemVariables'
import type { BotMessage, Cause, Effect, InputRequest, Listen, Reply, StayOpen } from './effects'

/** The words a block's `run` is written in: each yields one effect and gives back its typed result. */
type Word<Result> = Generator<Effect, Result, unknown>

/** The variables as they are now. */
export function* read(): Word<Variables> {
  return (yield { type: 'read' }) as Variables
}

/** A dynamic value as text, with the variables of now. */
export function* render(value: DynamicValue): Word<string> {
  return renderText(value, yield* read())
}

/** Says a rich text; what is blank once rendered is not said. */
export function* say(content: RichText): Word<void> {
  const text = renderRichText(content, yield* read())
  if (!isBlank(text)) yield* sayMessage({ kind: 'text', text })
}

export function* sayMessage(message: BotMessage): Word<void> {
  yield { type: 'say', message }
}

export function* setVariable(variableId: string, value: Json): Word<void> {
  yield { type: 'set', variableId, value }
}

/** What the conversation knows by itself: only kinds that find it out set it, never a variable that an editor chose. */
export function* setSystemVariable(variableId: SystemVariableId, value: Json): Word<void> {
  yield { type: 'set', variableId, value, system: true }
}

/** Waits for the visitor. The reply may be of any type: a block answers for what it asked. */
export function* ask(request: InputRequest, listen?: Listen): Word<Reply> {
  return (yield { type: 'ask', request, ...(listen && { listen }) }) as Reply
}

/** The time as ISO 8601 in UTC. */
export function* now(): Word<string> {
  return (yield { type: 'now' }) as string
}

/** A number in [0, 1). */
export function* random(): Word<number> {
  return (yield { type: 'random' }) as number
}

/** What began the run at this trigger; null when it was entered by an edge. */
export function* cause(): Word<Cause | null> {
  return (yield { type: 'cause' }) as Cause | null
}

/**
 * Has an effect carried out; its result is recorded, so that a finished call is never repeated. The request is sent as it is given: kept tests
 * compare it. A result that does not fit is the failure "The call failed."
 */
export function* call<Called extends EffectDefinition>(
  effect: Called,
  request: RequestOf<Called>,
): Word<ResultOf<Called>> {
  const result = yield { type: 'call', service: effect.name, request: request as Json }
  return resultOf(effect, result as Json)
}

/**
 * Runs another flow of the chatbot, from its start or from one of its groups, and comes back with the values that its variables
 * have then; null when that flow is gone or flows are nested too deeply. Its own questions are turns of the conversation.
 * @param variables by the ids of that flow's variables: what it starts with
 */
export function* enterFlow(
  flowId: string,
  variables: Record<string, Json>,
  groupId?: string,
): Word<Record<string, Json> | null> {
  return (yield { type: 'enter', flowId, variables, ...(groupId !== undefined && { groupId }) }) as Record<
    string,
    Json
  > | null
}

/** Lets time pass; the conversation goes on by itself, after a restart of the server too. @param seconds 1 to 30 days */
export function* wait(seconds: number): Word<void> {
  yield { type: 'ask', request: { input: 'wait', timeout: seconds } }
}

/** Goes on at another group or block. Comes back only when the target is gone. */
export function* goTo(target: { groupId: string; blockId?: string }): Word<void> {
  yield { type: 'goto', target }
}

/**
 * Goes on at another group or block and comes back once nothing follows there. The block is run again when it does, with the values
 * as they are then: so it sets nothing before. When the target is gone it goes on at once.
 */
export function* visit(target: { groupId: string; blockId?: string }): Word<void> {
  yield { type: 'visit', target }
}

/** Goes back to where the present part was gone to from. Comes back only where there is no such place. */
export function* goBack(): Word<void> {
  yield { type: 'back' }
}

/** Keeps the conversation open once the flow has run out. */
export function* stayOpen(open: StayOpen): Word<void> {
  yield { type: 'stay-open', open }
}

/** Closes the conversation; does not come back. */
export function* endConversation(): Word<never> {
  yield { type: 'end' }
  throw new Error('The conversation went on after its end.')
}

/** Tells the editor something that the visitor does not see: it stands at the block's step in the trace. */
export function* note(message: string): Word<void> {
  yield { type: 'note', message }
}
