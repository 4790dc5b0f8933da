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
  /** what was said before the question, oldest first */
  before: readonly Line[]
  /** instead of what the chatbot's settings say; as the block or the playground wants it */
  overrides?: Overrides & { language?: string }
  /** names what it costs: the same key is paid once */
  key: string
  /** whose budget of the day it is paid from; null: an editor who tests */
  visitor: string | null
  /** the chatbot's actions may be used; left out: none is. `talk` names the conversation where the key does not */
  actions?: {
    talk: string | null
    /** the call of a flow that asks; left out: nobody's conversation does */
    call?: Pick<CallContext, 'conversation' | 'run'>
    /** what becomes of what actions change outside */
    writes: Writes
    /** of a conversation that was kept as a test: what actions answer, none of which is carried out */
    recorded?: readonly RecordedCall[]
  }
  /** its end ends the answer: nobody waits for it any more */
  signal?: AbortSignal
}

/** What an action keeps under a name. */
export interface SavedAnswer {
  name: string
  value: Json
}

/** What comes of a question. `answer` is the last part, and the only one where there was nothing to stream. */
export type AnswerPart =
  | { type: 'text'; delta: string }
  /** `failed`: not "I don't know", but no model or no credits; `answer.text` is what the visitor is told, the note why */
  | { type: 'answer'; answer: ChatAnswer; failed: boolean; saved: SavedAnswer[] }

/** Answers from what a chatbot knows. Made once for a context (`createAnswering`). */
export interface Answering {
  /** Throws only when the database does. The texts together are the answer's text, unless that says how it failed. */
  answer(request: AnswerRequest): AsyncIterable<AnswerPart>
  /** Answers without the sources: the model speaks for itself. Not found where there is no model, with a note what to do. */
  talk(request: AnswerRequest): AsyncIterable<AnswerPart>
}
