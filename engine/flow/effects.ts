import type { Json } from '../values/json'
import type { RenderedRichText } from '../values/richText'

/**
 * What a block asks the host for. `say` and `set` are carried out by the engine itself within the turn; every other effect is
 * answered from the journal when it was recorded, else by the host, and its result is recorded before the block goes on.
 */
export type Effect =
  | { type: 'say'; message: BotMessage }
  | { type: 'set'; variableId: string; value: Json }
  | { type: 'read' }
  | { type: 'ask'; request: InputRequest }
  | { type: 'now' }
  | { type: 'random' }
  | { type: 'goto'; target: { groupId: string; blockId?: string } }
  | { type: 'end' }
  | { type: 'call'; service: string; request: Json }

/** What the visitor sees. `kind` follows SPEC.md 3 (block types of chat messages). */
export type BotMessage =
  | { kind: 'text'; text: RenderedRichText }
  | { kind: 'image'; url: string; alt: string; link?: string }

/** What the conversation waits for: drives the visitor's input. Labels are rendered, ids are those of the block's data. */
export type InputRequest =
  | { input: 'text'; long: boolean; placeholder: string; required: boolean; maxLength: number }
  | { input: 'email'; placeholder: string; required: boolean }
  | { input: 'number'; placeholder: string; required: boolean; integer: boolean; min?: number; max?: number }
  | {
      input: 'choice'
      multiple: boolean
      /** the visitor may type instead of choosing */
      typing: boolean
      placeholder: string
      options: { id: string; label: string; url?: string }[]
    }

/** What comes back from an `ask`. */
export type Reply = { type: 'text'; text: string } | { type: 'choice'; optionIds: string[] } | { type: 'skip' }

/** A running block: yields effects, receives their results, returns the port it leaves by. */
export type Step<PortId extends string> = Generator<Effect, PortId, unknown>
