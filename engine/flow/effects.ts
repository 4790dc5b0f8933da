import type { Json } from '../values/json'
import type { BotMessage, InputRequest, StartEvent } from './conversation'

/**
 * What a block asks the host for. `say` and `set` are carried out by the engine itself within the turn; every other effect is
 * answered from the journal when it was recorded, else by the host, and its result is recorded before the block goes on.
 */
export type Effect =
  | { type: 'say'; message: BotMessage }
  | { type: 'set'; variableId: string; value: Json; system?: true }
  | { type: 'read' }
  | { type: 'ask'; request: InputRequest; listen?: Listen }
  | { type: 'now' }
  | { type: 'random' }
  | { type: 'goto'; target: { groupId: string; blockId?: string } }
  /** goes to a group or block of this flow and comes back; answered with true then, with null when the target is gone */
  | { type: 'visit'; target: { groupId: string; blockId?: string } }
  /** the present part is over: what it was gone to from, or cut in on, goes on */
  | { type: 'back' }
  | { type: 'end' }
  /** from here on the conversation does not end by running out */
  | { type: 'stay-open'; open: StayOpen }
  /** tells the editor something, in the trace */
  | { type: 'note'; message: string }
  /** answered with what began the run here; null for a block that was entered by an edge */
  | { type: 'cause' }
  /** `service`: the name of an effect (engine/effects); the word stands in kept tests and in the records of conversations */
  | { type: 'call'; service: string; request: Json }
  /** runs another flow of the chatbot to its end; answered with that flow's variables then */
  | { type: 'enter'; flowId: string; variables: Record<string, Json>; groupId?: string }

/**
 * What becomes of a conversation once its flow has run out, instead of its end: it waits with `request`. Everything that the visitor
 * says from then on, to the flow too, is a call of the effect `service` (`{ action: 'added' }`). No block closes it any more.
 */
export interface StayOpen {
  request: InputRequest
  service: string
}

/** What began a run at a trigger: a conversation's start, or a text that fits an intent. */
export type Cause = StartEvent | { type: 'intent'; text: string; confidence: number }

/** Which intents may cut in when a text is typed here, instead of an answer. */
export interface Listen {
  /** trigger blocks that this question listens for before any other, global or not */
  intents: readonly string[]
  /** global intents may cut in too */
  interruptible: boolean
}

/** A running block: yields effects, receives their results, returns the port it leaves by. */
export type Step<PortId extends string> = Generator<Effect, PortId, unknown>

export type { BotMessage, InputRequest, Reply } from './conversation'
