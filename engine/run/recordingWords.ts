import type { BotMessage, InputRequest } from '../flow/effects'
import { caps } from '../values/caps'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import { printValue } from '../values/render'
import { type RenderedRichText, richTextToString } from '../values/richText'
import type { Difference } from './recordingCompare'

/** A message as a line of text, for terminals and differences. */
export function messageText(message: BotMessage): string {
  switch (message.kind) {
    case 'text':
      return plainText(message.text)
    case 'answer':
      return [
        plainText(message.text),
        ...message.sources.map(({ title, url }) => `[${title}]${url ? ` ${url}` : ''}`),
      ].join('\n')
    case 'image':
      return `[image${named(message.alt)}] ${message.url}`
    case 'video':
    case 'audio':
      return `[${message.kind}${named(message.caption)}] ${message.url}`
    case 'embed':
      return `[page${named(message.title)}] ${message.url}`
    case 'redirect':
      return `[goes to] ${message.url}`
    case 'carousel':
      return message.items.map(({ title, description }) => `[card: ${title}] ${description}`.trim()).join('\n')
    case 'files':
      return message.files.map(({ name }) => `[file: ${name}]`).join('\n')
  }
}

/**
 * A message as texts columns and searches have it: without what PostgreSQL's texts can't hold, and cut; null: there are
 * no words in it.
 */
export const searchedText = (message: BotMessage): string | null =>
  cleanText(messageText(message)).slice(0, caps.userMessage) || null

/** What a difference expected or found, as text. */
export function differenceText(type: Difference['type'], side: Json): string {
  if (type === 'said') return (side as unknown as BotMessage[]).map(messageText).join('\n') || 'nothing'
  if (type === 'asked') return side === null ? 'nothing' : requestText(side as unknown as InputRequest)
  return side === null ? 'nothing' : typeof side === 'string' ? side : printValue(side)
}

/** What a question accepts, in a few words. */
export function requestText(request: InputRequest): string {
  if (request.input === 'wait') return `a wait of ${request.timeout} s`
  if ('options' in request) return `${request.input}: ${request.options.map(({ label }) => label).join(', ')}`
  if (request.input === 'form') return `form: ${request.fields.map(({ label }) => label).join(', ')}`
  return JSON.stringify(request)
}

/** What a difference is, as a sentence without the place. */
export const differenceTitles: Record<Difference['type'], string> = {
  path: 'goes on at another block',
  left: 'is left by another way',
  said: 'says something else',
  set: 'sets other values',
  called: 'calls outside with something else',
  asked: 'asks something else',
  ended: 'ends where it went on, or goes on where it ended',
  stopped: 'is stopped, or no longer stopped',
  unreached: 'is not reached: the conversation was over before',
}

const plainText = (text: RenderedRichText): string => richTextToString(text, () => '')
const named = (name: string): string => (name ? `: ${name}` : '')
