import type { BotMessage, InputRequest } from '../../../engine/flow/conversation'
import type { Json } from '../../../engine/values/json'
import { markedText } from '../../../engine/values/markedText'
import { channelCapabilities } from '../../contracts/channels'
import { cut } from './cut'
import { splitText } from './splitText'
import type { WhatsappMessage } from './whatsappMessage'
import { writeNative } from './writeNative'
import { writeTemplate } from './writeTemplate'

const { text: MOST_TEXT, caption: MOST_CAPTION, buttons: BUTTONS, list: LIST } = channelCapabilities.whatsapp
/** Characters of the text that stands over buttons and lists. */
const MOST_BODY = 1_024
/** Characters of the button that opens a list. */
const MOST_OPENER = 20

/**
 * Writes a message of the bot's side, with the question that follows it, as WhatsApp's messages. Options become reply
 * buttons, a list where there are more, and numbers in the text where there are still more or several may be chosen.
 * @param choose the word on the button that opens a list, in the visitor's language
 * @returns in the order in which they are sent; none for what says nothing
 */
export function composeMessages(content: BotMessage, request: InputRequest | null, choose: string): WhatsappMessage[] {
  const { before, text } = contentOf(content)
  // its buttons are the options
  if (request?.input === 'choice' && request.shown === 'template' && isTemplate(content)) return before
  const asked = request ? withAnswers(text, request, choose) : texts(text)
  return [...before, ...asked]
}

/** Whether it is one that WhatsApp has approved, and takes at any time. */
export const isTemplate = (content: BotMessage): boolean => content.kind === 'text' && content.template !== undefined

/** What stands before the text, and the text that a question joins. */
function contentOf(content: BotMessage): { before: WhatsappMessage[]; text: string } {
  switch (content.kind) {
    case 'text':
      if (content.template) return { before: [writeTemplate(content.template)], text: '' }
      if (content.native) return { before: [writeNative(content.native)], text: '' }
      return { before: [], text: markedText(content.text) }
    case 'answer': {
      const sources = content.sources.map(
        ({ title, url }, at) => `[${at + 1}] ${[title, url].filter(Boolean).join(' ')}`,
      )
      return { before: [], text: [markedText(content.text), ...sources].join('\n') }
    }
    case 'image':
      return { before: [media('image', content.url, content.alt)], text: content.link ?? '' }
    case 'video':
      return { before: [media('video', content.url, content.caption)], text: '' }
    case 'audio':
      // sounds have no caption
      return { before: [media('audio', content.url, '')], text: content.caption }
    case 'carousel':
      return { before: content.items.flatMap(cardOf), text: '' }
    case 'embed':
      return { before: [], text: [content.title, content.url].filter(Boolean).join('\n') }
    case 'redirect':
      return { before: [], text: content.url }
    case 'files':
      return { before: content.files.map(({ name, url, type }) => fileOf(name, url, type)), text: '' }
  }
}

type Card = Extract<BotMessage, { kind: 'carousel' }>['items'][number]
function cardOf({ title, description, image, imageLink, buttons }: Card): WhatsappMessage[] {
  const links = buttons.flatMap(({ label, url }) => (url === undefined ? [] : [`${label}: ${url}`]))
  const words = [title && `*${title}*`, description, imageLink, ...links].filter(Boolean).join('\n')
  return image ? [media('image', image, words)] : texts(words)
}

function fileOf(name: string, link: string, type: string): WhatsappMessage {
  const kind = type.split('/')[0]
  if (type === 'image/jpeg' || type === 'image/png') return media('image', link, '')
  if (kind === 'video' || kind === 'audio') return media(kind, link, '')
  return { type: 'document', document: { link, filename: name } }
}

const media = (type: 'image' | 'video' | 'audio', link: string, caption: string): WhatsappMessage => ({
  type,
  [type]: { link, ...(caption !== '' && { caption: cut(caption, MOST_CAPTION) }) },
})

const texts = (text: string): WhatsappMessage[] =>
  text.trim() === ''
    ? []
    : splitText(text, MOST_TEXT).map((body) => ({ type: 'text', text: { body, preview_url: false } }))

function withAnswers(text: string, request: InputRequest, choose: string): WhatsappMessage[] {
  const { options, links, several } = optionsOf(request)
  const lines = [text, ...links, ...hintsOf(request)].filter((line) => line.trim() !== '')
  const whole = lines.join('\n')
  if (request.input === 'text' && request.wants === 'location' && options.length === 0)
    return withBody(whole, (body) => ({
      ...{ type: 'location_request_message', body },
      action: { name: 'send_location' },
    }))
  if (options.length === 0) return texts(whole)
  const labels = options.map(({ label }) => cut(label, BUTTONS.label))
  const rows = options.map(({ label }) => cut(label, LIST.label))
  const hasIds = options.every(({ id }) => id !== '' && id === id.trim())
  if (!several && hasIds && options.length <= BUTTONS.most && areDifferent(labels))
    return withBody(whole, (body) => ({
      ...{ type: 'button', body },
      action: {
        buttons: options.map(({ id }, at) => ({ type: 'reply', reply: { id, title: labels[at] ?? '' } })),
      },
    }))
  if (!several && hasIds && options.length <= LIST.most && areDifferent(rows))
    return withBody(whole, (body) => ({
      ...{ type: 'list', body },
      action: {
        button: cut(choose, MOST_OPENER),
        sections: [{ rows: options.map((option, at) => rowOf(option, rows[at] ?? '')) }],
      },
    }))
  return texts([...lines, ...options.map(({ label }, at) => `${at + 1}. ${label}`)].join('\n'))
}

/** A label that is cut stands whole below it. */
const rowOf = ({ id, label }: Option, title: string) => ({
  ...{ id, title },
  ...(title !== label && { description: cut(label, LIST.description) }),
})

/** Buttons stand under a short text: the end of it, after all that comes before. They can't stand alone. */
function withBody(text: string, interactive: (body: { text: string }) => Json): WhatsappMessage[] {
  const parts = splitText(text === '' ? '…' : text, MOST_BODY)
  const before = texts(parts.slice(0, -1).join('\n'))
  return [...before, { type: 'interactive', interactive: interactive({ text: parts.at(-1) ?? '…' }) }]
}

interface Option {
  id: string
  label: string
}

/** The options that answer a question, and those that open an address instead. */
function optionsOf(request: InputRequest): { options: Option[]; links: string[]; several: boolean } {
  if (request.input === 'choice' || request.input === 'rating') {
    const links = request.options.flatMap(({ label, url }) => (url === undefined ? [] : [`${label}: ${url}`]))
    const options = request.options.filter(({ url }) => url === undefined)
    return { options, links, several: request.input === 'choice' && request.multiple }
  }
  return { options: 'quickReplies' in request ? (request.quickReplies ?? []) : [], links: [], several: false }
}

/** What one has to know to answer in words. */
function hintsOf(request: InputRequest): string[] {
  // answered line by line
  if (request.input === 'form')
    return request.fields.map(({ label, required, choices, problem }, at) => {
      const among = choices.length > 0 ? ` (${choices.join(' / ')})` : ''
      return `${at + 1}. ${label}${required ? '*' : ''}${among}${problem ? ` – ${problem}` : ''}`
    })
  if (request.input === 'date') {
    const moment = { date: '2027-03-14', time: '09:30', 'date-time': '2027-03-14 09:30' }[request.mode]
    return [request.range ? `(${moment}/${moment})` : `(${moment})`]
  }
  return []
}

const areDifferent = (titles: readonly string[]) => new Set(titles).size === titles.length && !titles.includes('')
