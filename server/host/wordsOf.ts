import type { BotMessage } from '../../engine/flow/conversation'
import { richTextToString } from '../../engine/values/richText'

/** A message in words, for those who read it as text: people in a mail, a model. */
export function wordsOf(message: BotMessage): string {
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
