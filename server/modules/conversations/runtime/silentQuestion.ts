import { isDeepStrictEqual } from 'node:util'
import type { BotMessage, InputRequest } from '../../../../engine/flow/conversation'
import { plainRichText } from '../../../../engine/values/richText'

/** Where a question has no words: its buttons, or its fields, follow. */
const NO_WORDS = '…'

/**
 * The message that carries a question with which nothing was said. Where messages are sent one by one, an input alone
 * is not to be seen, nor are its buttons. @param before the question that waited until now: it is not asked again
 * @returns null if there is nothing to show: free words are awaited, or a wait
 */
export function carrierOf(request: InputRequest | null, before: InputRequest | null): BotMessage | null {
  if (!request || isDeepStrictEqual(request, before)) return null
  if (request.input === 'wait' || (request.input === 'text' && request.toTeam)) return null
  const hint = 'placeholder' in request ? request.placeholder.trim() : ''
  const hasOptions = 'quickReplies' in request && (request.quickReplies?.length ?? 0) > 0
  if (request.input === 'text' && hint === '' && !hasOptions && request.wants === undefined) return null
  return { kind: 'text', text: plainRichText(hint === '' ? NO_WORDS : hint) }
}
