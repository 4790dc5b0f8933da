import type { BotMessage, InputRequest, Reply } from '../../engine/flow/conversation'
import { replyWords } from '../../engine/flow/conversationWords'
import { plainRichText } from '../../engine/values/richText'

/** A reply as it stands in the conversation: the words typed, the labels chosen, a form line by line. A skip is an empty text. */
export function visitorSays(reply: Reply, request: InputRequest | null): BotMessage {
  if (reply.type === 'files') return { kind: 'files', files: reply.files }
  return { kind: 'text', text: plainRichText(replyWords(reply, request)) }
}
