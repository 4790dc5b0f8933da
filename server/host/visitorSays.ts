import type { BotMessage, InputRequest, Reply } from '../../engine/flow/effects'
import { plainRichText } from '../../engine/values/richText'

/** A reply as it stands in the conversation: the words typed, or the labels chosen. A skip is an empty text. */
export function visitorSays(reply: Reply, request: InputRequest | null): BotMessage {
  if (reply.type === 'text') return { kind: 'text', text: plainRichText(reply.text) }
  if (reply.type === 'skip') return { kind: 'text', text: plainRichText('') }
  const options = request?.input === 'choice' ? request.options : []
  const labels = reply.optionIds.flatMap((id) =>
    options.filter((option) => option.id === id).map((option) => option.label),
  )
  return { kind: 'text', text: plainRichText(labels.join(', ')) }
}
