import type { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import type { ChatAnswer, overridesSchema, RecordedCall } from '../../../contracts/answers'
import type { CallContext, Writes } from '../../../platform/effects/callContext'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import type { Line } from '../readConversation'

export type Overrides = z.infer<typeof overridesSchema>

export interface AnswerRequest {
  place: KnowledgePlace
  question: string
  /** the conversation before the question, oldest first */
  before: readonly Line[]
  /** replaces the chatbot's settings; set by the block or the playground */
  overrides?: Overrides & { language?: string }
  /** offers the nearest questions if nothing is found, unless the chatbot's settings are against it */
  suggest?: boolean
  /** the suggestion that was chosen: its section is the answer */
  chosen?: string
  /** identifies its cost: the same key is charged once */
  key: string
  /** the visitor whose daily budget pays; null: an editor's test */
  visitor: string | null
  /** whether the chatbot's actions may be used; absent: none. `talk` names the conversation if the key does not */
  actions?: {
    talk: string | null
    /** the flow's call; absent: no conversation */
    call?: Pick<CallContext, 'conversation' | 'run'>
    /** what happens to actions' changes outside */
    writes: Writes
    /** for a conversation kept as a test: recorded results of actions, which are not carried out */
    recorded?: readonly RecordedCall[]
  }
  /** aborts the answer when nobody waits for it any more */
  signal?: AbortSignal
}

/** A value that an action stores under a name. */
export interface SavedAnswer {
  name: string
  value: Json
}

/** Parts of an answer. `answer` comes last, and alone if there was nothing to stream. */
export type AnswerPart =
  | { type: 'text'; delta: string }
  /**
   * `failed`: no model or no credits, as opposed to "I don't know"; `answer.text` is for the visitor, the note says why
   */
  | { type: 'answer'; answer: ChatAnswer; failed: boolean; saved: SavedAnswer[] }

/** Answers questions from a chatbot's sources. Created once per context (`createAnswering`). */
export interface Answering {
  /** Throws only when the database does. The texts together are the answer's text, unless it failed. */
  answer(request: AnswerRequest): AsyncIterable<AnswerPart>
  /** Answers without sources: the model alone. Not found if there is no model, with a note what to do. */
  talk(request: AnswerRequest): AsyncIterable<AnswerPart>
}
