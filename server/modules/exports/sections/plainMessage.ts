import type { BotMessage } from '../../../../engine/flow/conversation'

/** A message as a line of text, for a cell. */
export function plainMessage(message: BotMessage): string {
  switch (message.kind) {
    case 'text':
    case 'answer':
      return message.text.map(({ children }) => children.map(({ text }) => text).join('')).join('\n')
    case 'image':
      return [message.alt, message.url].filter(Boolean).join(' ')
    case 'video':
    case 'audio':
      return [message.caption, message.url].filter(Boolean).join(' ')
    case 'embed':
      return [message.title, message.url].filter(Boolean).join(' ')
    case 'redirect':
      return message.url
    case 'carousel':
      return message.items.map(({ title }) => title).join(', ')
    case 'files':
      return message.files.map(({ name }) => name).join(', ')
  }
}
