import type { BotMessage, InputRequest } from '../../../engine/flow/conversation'
import { markedText } from '../../../engine/values/markedText'
import { channelCapabilities } from '../../contracts/channels'
import type { ButtonWords } from './buttonWords'
import { composeQuestion, composeTexts } from './composeQuestion'
import { cut } from './cut'
import type { WhatsappMessage } from './whatsappMessage'
import { writeNative } from './writeNative'
import { writeTemplate } from './writeTemplate'

const { caption: MOST_CAPTION } = channelCapabilities.whatsapp

/**
 * Writes a message of the bot's side, with the question that follows it, as WhatsApp's messages. Options become reply
 * buttons, lists where there are more, and numbers in the text where there are still more or several may be chosen.
 * @param words on the buttons that open a list and skip a question, in the visitor's language
 * @returns in the order in which they are sent; none for what says nothing
 */
export function composeMessages(
  content: BotMessage,
  request: InputRequest | null,
  words: ButtonWords,
): WhatsappMessage[] {
  const { before, text } = contentOf(content)
  // its buttons are the options
  if (request?.input === 'choice' && request.shown === 'template' && isTemplate(content)) return before
  const asked = request ? composeQuestion(text, request, { ...words, titles: titlesOf(content) }) : composeTexts(text)
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
  return image ? [media('image', image, words)] : composeTexts(words)
}

/** The titles of the cards that options belong to, by the ids of options. */
const titlesOf = (content: BotMessage): ReadonlyMap<string, string> =>
  new Map(
    content.kind === 'carousel'
      ? content.items.flatMap(({ title, buttons }) => buttons.map(({ id }) => [id, title] as const))
      : [],
  )

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
