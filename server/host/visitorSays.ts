import type { BotMessage, InputRequest, Reply } from '../../engine/flow/conversation'
import { isAnswer } from '../../engine/run/intents'
import { plainRichText } from '../../engine/values/richText'

/** A reply as it stands in the conversation: the words typed, the labels chosen, a form line by line. A skip is an empty text. */
export function visitorSays(reply: Reply, request: InputRequest | null): BotMessage {
  if (reply.type === 'files') return { kind: 'files', files: reply.files }
  return { kind: 'text', text: plainRichText(wordsOf(reply, request)) }
}

/** Whether a visitor typed the reply in words of their own: it is no option, no address, no number. */
export function isOwnWords(reply: Reply, request: InputRequest | null): boolean {
  if (reply.type !== 'text') return false
  return !request || ((request.input === 'text' || request.input === 'choice') && !isAnswer(request, reply.text))
}

function wordsOf(reply: Exclude<Reply, { type: 'files' }>, request: InputRequest | null): string {
  switch (reply.type) {
    case 'text':
      return request?.input === 'date' ? readableDate(reply.text) : reply.text
    case 'choice': {
      const options = request && 'options' in request ? request.options : []
      const labels = reply.optionIds.flatMap((id) =>
        options.filter((option) => option.id === id).map((option) => option.label),
      )
      return labels.join(', ')
    }
    case 'form': {
      const fields = request?.input === 'form' ? request.fields : []
      const lines = fields.map(({ id, label }) => ({ label, entry: [reply.values[id] ?? []].flat().join(', ') }))
      return lines
        .filter(({ entry }) => entry !== '')
        .map(({ label, entry }) => `${label}: ${entry}`)
        .join('\n')
    }
    default:
      return ''
  }
}

/** `2026-11-21T09:30+01:00` as `2026-11-21 09:30`, a range with a dash; what was typed otherwise as it is. */
const readableDate = (text: string): string =>
  text.replace(/(\d)T(\d{2}:\d{2})(?:Z|[+-]\d{2}:\d{2})?/g, '$1 $2').replace(/^(\S+(?: \d\S*)?)\/(?=\d)/, '$1 – ')
