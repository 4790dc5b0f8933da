import type { BotMessage, InputRequest, SentReply } from '../../../engine/flow/conversation'
import { markedText } from '../../../engine/values/markedText'
import { channelCapabilities } from '../../../server/contracts/channels'

const { buttons, list: rows, caption: mostOfCaption } = channelCapabilities.whatsapp
/** Lists in a row (server/modules/whatsapp/composeQuestion.ts). */
const MOST_LISTS = 3

/**
 * WhatsApp's limits: more buttons become a list, still more a numbered text; longer labels and captions are truncated.
 */
export const whatsappCaps = { buttons: buttons.most, label: buttons.label, caption: mostOfCaption } as const

export interface Bubble {
  /** with WhatsApp's formatting: `*bold*`, `_italic_` */
  text: string
  media?: { kind: 'image' | 'video' | 'audio'; url: string }
  isCut?: boolean
}

/** A message as WhatsApp would show it: cards one below the other. */
export function bubblesOf(message: BotMessage): Bubble[] {
  return message.kind === 'carousel' ? message.items.map(cardBubble) : [bubbleOf(message)]
}

type Card = Extract<BotMessage, { kind: 'carousel' }>['items'][number]
function cardBubble({ title, description, image, imageLink, buttons }: Card): Bubble {
  const links = buttons.flatMap(({ label, url }) => (url === undefined ? [] : [`${label}: ${url}`]))
  const words = [title && `*${title}*`, description, imageLink, ...links].filter(Boolean).join('\n')
  return image ? { ...caption(words), media: { kind: 'image', url: image } } : { text: words }
}

function bubbleOf(message: Exclude<BotMessage, { kind: 'carousel' }>): Bubble {
  switch (message.kind) {
    case 'text':
      return { text: message.native ? nativeWords(message.native) : markedText(message.text) }
    case 'answer': {
      const sources = message.sources.map(
        ({ title, url }, at) => `[${at + 1}] ${[title, url].filter(Boolean).join(' ')}`,
      )
      return { text: [markedText(message.text), ...sources].join('\n') }
    }
    case 'image':
      return { ...caption(message.alt), media: { kind: 'image', url: message.url } }
    case 'video':
    case 'audio':
      return { ...caption(message.caption), media: { kind: message.kind, url: message.url } }
    case 'files':
      return { text: message.files.map(({ name }) => name).join('\n') }
    case 'embed':
      return { text: [message.title, message.url].filter(Boolean).join('\n') }
    case 'redirect':
      return { text: message.url }
  }
}

/** What stands on a map, on a contact's card, and at a document. */
function nativeWords(native: NonNullable<Extract<BotMessage, { kind: 'text' }>['native']>): string {
  if (native.type === 'document') return [`📄 ${native.name}`, native.caption].filter(Boolean).join('\n')
  const lines =
    native.type === 'location'
      ? [native.name && `*${native.name}*`, native.address, `📍 ${native.latitude}, ${native.longitude}`]
      : [`*${native.name}*`, native.company, native.phone, native.email, native.url]
  return lines.filter(Boolean).join('\n')
}

interface Answer {
  label: string
  full: string
  reply: SentReply
}

export interface Buttons {
  buttons: Answer[]
  /** rows of the list that replaces too many buttons */
  rows: Answer[]
  /** the text that replaces too many rows */
  list: string[]
  /** options that open an address, which answer nothing */
  links: { label: string; url: string }[]
  several: boolean
}

/** The answers available by button, or by number. */
export function answersOf(request: InputRequest): Buttons {
  const several = request.input === 'choice' && request.multiple
  const options = optionsOf(request)
  const links =
    request.input === 'choice'
      ? request.options.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }]))
      : []
  const none = { buttons: [], rows: [], list: [], links, several }
  if (several || options.length > rows.most * MOST_LISTS)
    return { ...none, list: options.map(({ full }, at) => `${at + 1}. ${full}`) }
  const cutTo = (most: number) => options.map((option) => ({ ...option, label: cut(option.full, most) }))
  return options.length > whatsappCaps.buttons
    ? { ...none, rows: cutTo(rows.label) }
    : { ...none, buttons: cutTo(whatsappCaps.label) }
}

/** Interprets a typed text: a choice's number or label, a form line by line, otherwise the text itself. */
export function replyOf(text: string, request: InputRequest): SentReply {
  if (request.input === 'form') {
    const lines = text.split('\n')
    return {
      type: 'form',
      values: Object.fromEntries(request.fields.map(({ id }, at) => [id, lines[at]?.trim() ?? ''])),
    }
  }
  const options = optionsOf(request)
  const chosen = (text.includes(',') && answersOf(request).several ? text.split(',') : [text]).map((part) => {
    const word = part.trim().toLowerCase()
    const byNumber = /^\d{1,3}\.?$/.test(word) ? options[Number.parseInt(word, 10) - 1] : undefined
    return (
      byNumber ??
      options.find(({ full }) => [full, cut(full, whatsappCaps.label)].some((l) => l.toLowerCase() === word))
    )
  })
  const replies = chosen.flatMap((option) => option?.reply ?? [])
  if (replies.length < chosen.length) return { type: 'text', text }
  const [first] = replies
  const optionIds = replies.flatMap((reply) => (reply.type === 'choice' ? reply.optionIds : []))
  return replies.length > 1 && optionIds.length === replies.length
    ? { type: 'choice', optionIds }
    : (first ?? { type: 'text', text })
}

/** Whether a text does not answer a question that accepts only its choices. */
export const missesOptions = (text: string, request: InputRequest): boolean =>
  (request.input === 'rating' || (request.input === 'choice' && !request.typing)) &&
  replyOf(text, request).type === 'text'

/** An example of the expected date format. */
export function exampleDate({ mode, range }: Extract<InputRequest, { input: 'date' }>): string {
  const clock = (day: string) => ({ date: day, time: '09:30', 'date-time': `${day} 09:30` })[mode]
  return range ? `${clock('2027-03-14')}/${clock('2027-03-21')}` : clock('2027-03-14')
}

function optionsOf(request: InputRequest): { full: string; reply: SentReply }[] {
  if (request.input === 'choice' || request.input === 'rating') {
    return request.options
      .filter(({ url }) => url === undefined)
      .map(({ id, label }) => ({ full: label, reply: { type: 'choice', optionIds: [id] } }))
  }
  const suggestions = 'quickReplies' in request ? (request.quickReplies ?? []) : []
  return suggestions.map(({ label }) => ({ full: label, reply: { type: 'text', text: label } }))
}

function caption(words: string): Pick<Bubble, 'text' | 'isCut'> {
  return words.length > whatsappCaps.caption ? { text: cut(words, whatsappCaps.caption), isCut: true } : { text: words }
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
