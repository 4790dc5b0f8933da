import { richTextToString } from '../values/richText'
import type { BotMessage, InputRequest, Reply } from './conversation'

/** A message as plain text: for mails, models and transcripts. */
export function messageToString(message: BotMessage): string {
  switch (message.kind) {
    case 'text':
    case 'answer':
      return richTextToString(message.text, () => '')
    case 'files':
      return message.files.map(({ name }) => name).join(', ')
    case 'carousel':
      return message.items.map(({ title }) => title).join(', ')
    default:
      return `[${message.kind}] ${message.url}`
  }
}

/** A reply as plain text: what was typed, the chosen labels, a form line by line, file names. A skip is empty. */
export function replyWords(reply: Reply, request: InputRequest | null): string {
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
    case 'files':
      return reply.files.map(({ name }) => name).join(', ')
    default:
      return ''
  }
}

/** `2026-11-21T09:30+01:00` as `2026-11-21 09:30`, a range with a dash; any other text unchanged. */
const readableDate = (text: string): string =>
  text.replace(/(\d)T(\d{2}:\d{2})(?:Z|[+-]\d{2}:\d{2})?/g, '$1 $2').replace(/^(\S+(?: \d\S*)?)\/(?=\d)/, '$1 – ')
