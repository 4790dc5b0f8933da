import type { InputRequest } from '../../../engine/flow/conversation'
import type { Json } from '../../../engine/values/json'
import { channelCapabilities } from '../../contracts/channels'
import { isSkippable, SKIP_OPTION } from '../conversations/channels/skipOption'
import type { ButtonWords } from './buttonWords'
import { cut } from './cut'
import { splitText } from './splitText'
import type { WhatsappMessage } from './whatsappMessage'

const { text: MOST_TEXT, buttons: BUTTONS, list: LIST } = channelCapabilities.whatsapp
/** Characters of the text that stands over buttons and lists. */
const MOST_BODY = 1_024
/** Characters of the button that opens a list. */
const MOST_OPENER = 20
/** Lists in a row; still more options are numbers in the text, since people get only so many messages a minute. */
const MOST_LISTS = 3

interface Words extends ButtonWords {
  /** the titles of the cards that options belong to */
  titles: ReadonlyMap<string, string>
}

/**
 * A question with its answers. @param text what is said with it; empty: nothing
 * @returns in the order in which they are sent; none if there is nothing to say
 */
export function composeQuestion(
  text: string,
  request: InputRequest,
  { choose, skip, titles }: Words,
): WhatsappMessage[] {
  const { options: own, links, several } = optionsOf(request)
  const skips = isSkippable(request) && request.input !== 'form' ? [{ id: SKIP_OPTION, label: skip }] : []
  const [link] = links
  if (link && links.length === 1 && own.length === 0 && request.input === 'choice')
    return withBody(text.trim() || link.label, (body) => ({
      ...{ type: 'cta_url', body },
      action: { name: 'cta_url', parameters: { display_text: cut(link.label, BUTTONS.label), url: link.url } },
    }))
  const lines = [text, ...links.map(({ label, url }) => `${label}: ${url}`), ...hintsOf(request)].filter(
    (line) => line.trim() !== '',
  )
  const whole = lines.join('\n')
  if (request.input === 'text' && request.wants === 'location' && own.length === 0)
    return withBody(whole, (body) => ({
      ...{ type: 'location_request_message', body },
      action: { name: 'send_location' },
    }))
  const options = [...own, ...skips]
  if (options.length === 0) return composeTexts(whole)
  const body = whole === '' && titles.size > 0 ? choose : whole
  const labels = options.map(({ label }) => cut(label, BUTTONS.label))
  const rows = options.map((option) => rowOf(option, titles.get(option.id)))
  const hasIds = options.every(({ id }) => id !== '' && id === id.trim())
  if ((!several || own.length === 0) && hasIds && options.length <= BUTTONS.most && areDifferent(labels))
    return composeButtons(body, options)
  const areRows =
    rows.every(({ title }) => title !== '') && areDifferent(rows.map(({ id: _, ...row }) => JSON.stringify(row)))
  if (!several && hasIds && options.length <= LIST.most * MOST_LISTS && areRows) return composeLists(body, rows, choose)
  const numbered = [...lines, ...own.map(({ label }, at) => `${at + 1}. ${label}`)].join('\n')
  return skips.length > 0 ? composeButtons(numbered, skips) : composeTexts(numbered)
}

/** Reply buttons under a text. */
const composeButtons = (text: string, options: readonly Option[]): WhatsappMessage[] =>
  withBody(text, (body) => ({
    ...{ type: 'button', body },
    action: {
      buttons: options.map(({ id, label }) => ({ type: 'reply', reply: { id, title: cut(label, BUTTONS.label) } })),
    },
  }))

/** A text, in as many messages as it needs; none if it is blank. */
export const composeTexts = (text: string): WhatsappMessage[] =>
  text.trim() === ''
    ? []
    : splitText(text, MOST_TEXT).map((body) => ({ type: 'text', text: { body, preview_url: false } }))

type Row = { id: string; title: string; description?: string }

/** Ten rows a list; the lists after the first say which rows they have. */
function composeLists(text: string, rows: readonly Row[], choose: string): WhatsappMessage[] {
  const pages = Array.from({ length: Math.ceil(rows.length / LIST.most) }, (_, at) =>
    rows.slice(at * LIST.most, (at + 1) * LIST.most),
  )
  return pages.flatMap((page, at) => {
    const range = `${at * LIST.most + 1}–${at * LIST.most + page.length}`
    const named = `${choose} ${range}`
    const opener = pages.length === 1 ? cut(choose, MOST_OPENER) : named.length <= MOST_OPENER ? named : range
    return withBody(at === 0 ? text : range, (body) => ({
      ...{ type: 'list', body },
      action: { button: opener, sections: [{ rows: page }] },
    }))
  })
}

/** Below a label stands the card that it belongs to, or the label as a whole if it had to be cut. */
function rowOf({ id, label }: Option, card = ''): Row {
  const title = cut(label, LIST.label)
  const description = card !== '' ? card : title !== label ? label : ''
  return { id, title, ...(description !== '' && { description: cut(description, LIST.description) }) }
}

/** Buttons stand under a short text: the end of it, after all that comes before. They can't stand alone. */
function withBody(text: string, interactive: (body: { text: string }) => Json): WhatsappMessage[] {
  const parts = splitText(text === '' ? '…' : text, MOST_BODY)
  const before = composeTexts(parts.slice(0, -1).join('\n'))
  return [...before, { type: 'interactive', interactive: interactive({ text: parts.at(-1) ?? '…' }) }]
}

interface Option {
  id: string
  label: string
}
interface Link {
  label: string
  url: string
}

/** The options that answer a question, and those that open an address instead. */
function optionsOf(request: InputRequest): { options: Option[]; links: Link[]; several: boolean } {
  if (request.input === 'choice' || request.input === 'rating') {
    const links = request.options.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }]))
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
