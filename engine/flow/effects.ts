import type { Json } from '../values/json'
import type { BotMessage, InputRequest, StartEvent } from './conversation'

/**
 * A request that a block yields. The engine executes `say` and `set` itself within the turn. Every other effect is
 * answered from the journal if it was recorded, otherwise by the runtime, and its result is recorded before the block
 * goes on.
 */
export type Effect =
  | { type: 'say'; message: BotMessage }
  | { type: 'set'; variableId: string; value: Json; system?: true }
  | { type: 'read' }
  | { type: 'ask'; request: InputRequest; listen?: Listen }
  | { type: 'now' }
  | { type: 'random' }
  | { type: 'goto'; target: { groupId: string; blockId?: string } }
  /**
   * runs a group or block of this flow and returns; answered with true after the return, with null if the target is
   * gone
   */
  | { type: 'visit'; target: { groupId: string; blockId?: string } }
  /** ends the present part: returns to the block that entered it, or to the question it interrupted */
  | { type: 'back' }
  | { type: 'end' }
  /** from now on the conversation does not end when the flow does */
  | { type: 'stay-open'; open: StayOpen }
  /** a message for the editor, in the trace */
  | { type: 'note'; message: string }
  /** answered with what started the run here; null for a block entered by an edge */
  | { type: 'cause' }
  /** answered with the traits of the channel, which stay the same in a session */
  | { type: 'channel' }
  /** `service`: an effect's name (engine/effects). Kept tests and records of conversations contain this word */
  | { type: 'call'; service: string; request: Json }
  /** runs another flow of the chatbot to its end; answered with that flow's variables at its end */
  | { type: 'enter'; flowId: string; variables: Record<string, Json>; groupId?: string }

/**
 * Keeps a conversation open after its flow has ended: it waits with `request`. From then on each message of the
 * visitor, even one that a flow handles, also calls the effect `service` (`{ action: 'added' }`). No block can close
 * the conversation any more.
 */
export interface StayOpen {
  request: InputRequest
  service: string
}

/** What started a run at a trigger: the start of a conversation, or a text that matched an intent. */
export type Cause = StartEvent | { type: 'intent'; text: string; confidence: number }

/** Which intents may interrupt when a visitor types a text instead of an answer. */
export interface Listen {
  /** trigger blocks that this question listens for first, global or not */
  intents: readonly string[]
  /** whether global intents may interrupt too */
  interruptible: boolean
}

/** A running block: yields effects, receives their results, returns the port it leaves by. */
export type Step<PortId extends string> = Generator<Effect, PortId, unknown>

export type { BotMessage, InputRequest, Reply } from './conversation'
