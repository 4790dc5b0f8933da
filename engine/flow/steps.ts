import { type EffectDefinition, type RequestOf, type ResultOf, resultOf } from '../effects/defineEffect'
import type { DynamicValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import { isBlank, renderText, type Variables } from '../values/render'
import { renderRichText } from '../values/renderRichText'
import type { RichText } from '../values/richText'
import type { SystemVariableId } from '../values/systemVariables'
import type { ChannelTraits } from './capabilities'
import type { BotMessage, Cause, Effect, InputRequest, Listen, Reply, StayOpen } from './effects'

/** The operations that a block's `run` consists of: each yields one effect and returns its typed result. */
type Word<Result> = Generator<Effect, Result, unknown>

/** The current variables. */
export function* read(): Word<Variables> {
  return (yield { type: 'read' }) as Variables
}

/** A dynamic value as text, with the current variables. */
export function* render(value: DynamicValue): Word<string> {
  return renderText(value, yield* read())
}

/** Sends a rich text, unless it is blank once rendered. */
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

/** Sets a system variable; only kinds that determine its value do, never an editor's choice. */
export function* setSystemVariable(variableId: SystemVariableId, value: Json): Word<void> {
  yield { type: 'set', variableId, value, system: true }
}

/** Waits for the visitor. The reply may be of any type: the block must check that it fits its request. */
export function* ask(request: InputRequest, listen?: Listen): Word<Reply> {
  return (yield { type: 'ask', request, ...(listen && { listen }) }) as Reply
}

/** The time as ISO 8601 in UTC. */
export function* now(): Word<string> {
  return (yield { type: 'now' }) as string
}

/** A random number in [0, 1). */
export function* random(): Word<number> {
  return (yield { type: 'random' }) as number
}

/** What the conversation's channel can do. */
export function* channel(): Word<ChannelTraits> {
  return (yield { type: 'channel' }) as ChannelTraits
}

/** What started the run at this trigger; null if it was entered by an edge. */
export function* cause(): Word<Cause | null> {
  return (yield { type: 'cause' }) as Cause | null
}

/**
 * Calls an effect. The result is recorded, so that a finished call is never repeated. The request is recorded as given:
 * kept tests compare it. An invalid result becomes the failure "The call failed."
 */
export function* call<Called extends EffectDefinition>(
  effect: Called,
  request: RequestOf<Called>,
): Word<ResultOf<Called>> {
  const result = yield { type: 'call', service: effect.name, request: request as Json }
  return resultOf(effect, result as Json)
}

/**
 * Runs another flow of the chatbot, from its start or one of its groups, and returns the values of its variables at its
 * end; null if that flow is gone or flows are nested too deeply. Its questions are turns of the conversation.
 * @param variables initial values, by ids of that flow's variables
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

/** Waits; the conversation goes on by itself, even after a restart of the server. @param seconds 1 to 30 days */
export function* wait(seconds: number): Word<void> {
  yield { type: 'ask', request: { input: 'wait', timeout: seconds } }
}

/** Jumps to another group or block. Returns only if the target is gone. */
export function* goTo(target: { groupId: string; blockId?: string }): Word<void> {
  yield { type: 'goto', target }
}

/**
 * Runs another group or block and returns when nothing follows there. The calling block is then run again from its
 * start, with the current values: so it must set nothing before. Returns at once if the target is gone.
 */
export function* visit(target: { groupId: string; blockId?: string }): Word<void> {
  yield { type: 'visit', target }
}

/** Returns to the block that entered the present part. Comes back only if there is none. */
export function* goBack(): Word<void> {
  yield { type: 'back' }
}

/** Keeps the conversation open after the flow's end. */
export function* stayOpen(open: StayOpen): Word<void> {
  yield { type: 'stay-open', open }
}

/** Closes the conversation; never returns. */
export function* endConversation(): Word<never> {
  yield { type: 'end' }
  throw new Error('The conversation went on after its end.')
}

/** Writes a message for the editor at the block's step in the trace; visitors don't see it. */
export function* note(message: string): Word<void> {
  yield { type: 'note', message }
}
