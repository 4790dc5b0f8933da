import type { BotMessage, InputRequest, Reply } from '../../../../engine/flow/conversation'
import { replyWords } from '../../../../engine/flow/conversationWords'
import { isAnswer } from '../../../../engine/run/intents'
import { plainRichText } from '../../../../engine/values/richText'

/**
 * A reply as a message of the conversation: typed text, labels of chosen options, or a form line by line. A skip is an
 * empty text.
 */
export function visitorSays(reply: Reply, request: InputRequest | null): BotMessage {
  if (reply.type === 'files') return { kind: 'files', files: reply.files }
  return { kind: 'text', text: plainRichText(replyWords(reply, request)) }
}

/** Whether a visitor typed the reply as free text: not an option, an address or a number. */
export function isOwnWords(reply: Reply, request: InputRequest | null): boolean {
  if (reply.type !== 'text') return false
  return !request || ((request.input === 'text' || request.input === 'choice') && !isAnswer(request, reply.text))
}
