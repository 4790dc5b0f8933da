import type { BotMessage } from '../../engine/flow/conversation'
import { richTextToString } from '../../engine/values/richText'

/** A message in one line; without text, the name of its kind. */
export function messageLine(message: BotMessage): string {
  switch (message.kind) {
    case 'text':
    case 'answer':
      return richTextToString(message.text, () => '').replaceAll('\n', ' ')
    case 'image':
      return message.alt
    case 'video':
    case 'audio':
      return message.caption
    case 'embed':
      return message.title
    case 'redirect':
      return message.url
    case 'carousel':
      return message.items.map(({ title }) => title).join(', ')
    case 'files':
      return message.files.map(({ name }) => name).join(', ')
  }
}
