import type { BotMessage, InputRequest, Reply } from '../../../../engine/flow/conversation'
import { replyWords } from '../../../../engine/flow/conversationWords'
import { isAnswer } from '../../../../engine/run/intents'
import { plainRichText } from '../../../../engine/values/richText'

/** A reply as it stands in the conversation: the words typed, the labels chosen, a form line by line. A skip is an empty text. */
export function visitorSays(reply: Reply, request: InputRequest | null): BotMessage {
  if (reply.type === 'files') return { kind: 'files', files: reply.files }
  return { kind: 'text', text: plainRichText(replyWords(reply, request)) }
}

/** Whether a visitor typed the reply in words of their own: it is no option, no address, no number. */
export function isOwnWords(reply: Reply, request: InputRequest | null): boolean {
  if (reply.type !== 'text') return false
  return !request || ((request.input === 'text' || request.input === 'choice') && !isAnswer(request, reply.text))
}
