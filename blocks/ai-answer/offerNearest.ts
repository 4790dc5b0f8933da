import type { Answer } from '../../engine/effects/aiAnswer'
import type { AiResponse } from '../../engine/flow/conversation'
import type { Effect } from '../../engine/flow/effects'
import { ask, sayMessage } from '../../engine/flow/steps'
import { plainRichText } from '../../engine/values/richText'

/** What a visitor makes of the nearest questions: one of them, another question, or nothing. */
type Taken = { type: 'chosen'; id: string } | { type: 'asked'; question: string } | { type: 'none' }

/** The id of the option that refuses all. */
const NONE = 'none'

/** Offers the nearest questions as buttons. A typed label chooses it; any other text is a question of its own. */
export function* offerNearest(
  text: string,
  { none, offers }: NonNullable<Answer['suggestions']>,
  ai: AiResponse,
): Generator<Effect, Taken, unknown> {
  if (text !== '') yield* sayMessage({ kind: 'text', text: plainRichText(text), ai })
  const options = [...offers.map(({ label }, at) => ({ id: `${at + 1}`, label })), { id: NONE, label: none }]
  const reply = yield* ask({ input: 'choice', multiple: false, typing: true, placeholder: '', options })
  const typed = reply.type === 'text' ? reply.text.trim() : ''
  const at = options.findIndex(({ id, label }) =>
    reply.type === 'choice' ? id === reply.optionIds[0] : label.trim().toLowerCase() === typed.toLowerCase(),
  )
  const offer = offers[at]
  if (offer) return { type: 'chosen', id: offer.id }
  return typed === '' || at >= 0 ? { type: 'none' } : { type: 'asked', question: typed }
}
