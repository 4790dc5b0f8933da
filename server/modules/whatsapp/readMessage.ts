import { z } from 'zod'
import type { Referral } from '../../../engine/flow/conversation'
import { LONGEST_AD_TEXT } from '../../../engine/run/recordingFormat'
import { caps } from '../../../engine/values/caps'
import type { Json } from '../../../engine/values/json'

/** What a person's message says in a conversation. */
export interface Said {
  text: string
  /** the option that was chosen */
  choice?: string
  /** a file to fetch: its id at WhatsApp, and its name */
  media?: { id: string; name: string }
  /** it is a sound, in which somebody may speak */
  spoken?: true
  /** values of the flow's variables by name, such as which advertisement led here */
  named?: Record<string, string>
  /** the advertisement that led here */
  referral?: Referral
}

const words = z.string().catch('')
const chosen = z.object({ id: z.string().max(256), title: words })
const place = z.object({ latitude: z.number(), longitude: z.number(), name: words, address: words })
const media = z.object({ id: z.string().max(256), mime_type: words, filename: words, caption: words })
const card = z.object({
  name: z.object({ formatted_name: words }).catch({ formatted_name: '' }),
  phones: z.array(z.object({ phone: words })).catch([]),
  emails: z.array(z.object({ email: words })).catch([]),
})
const order = z.object({
  text: words,
  product_items: z
    .array(z.object({ product_retailer_id: words, quantity: z.union([z.number(), z.string()]).catch('') }))
    .catch([]),
})
/** At most what a conversation keeps of an advertisement. */
const upTo = (most: number) => words.transform((text) => text.slice(0, most))
const adText = upTo(LONGEST_AD_TEXT)
const referral = z.object({
  ...{ source_url: upTo(caps.url), source_id: adText, source_type: adText },
  ...{ headline: adText, body: adText, ctwa_clid: adText },
})

const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'] as const
const MOST_TEXT = 20_000
const MOST_CARDS = 20

/** @returns what a message says; null for what says nothing to a chatbot, such as a reaction */
export function readMessage(given: Json): Said | null {
  const message = z.looseObject({ type: z.string() }).safeParse(given).data
  if (!message) return null
  const said = readContent(message)
  const from = referral.safeParse(message.referral).data
  return said && from
    ? {
        ...said,
        named: {
          ...{
            ad_headline: from.headline,
            ad_id: from.source_id,
            ad_url: from.source_url,
            ad_click_id: from.ctwa_clid,
            ad_type: from.source_type,
            ad_body: from.body,
          },
        },
        referral: {
          ...{ url: from.source_url, id: from.source_id, type: from.source_type },
          ...{ headline: from.headline, body: from.body, clickId: from.ctwa_clid },
        },
      }
    : said
}

/** Whether somebody typed it, rather than chose or sent something. */
export const isTyped = (message: Json): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'text'

function readContent(message: { type: string; [field: string]: unknown }): Said | null {
  const { type } = message
  const fields = message[type]
  if (type === 'text') return plain(z.object({ body: words }).safeParse(fields).data?.body ?? '')
  if (MEDIA.some((kind) => kind === type)) {
    const file = media.safeParse(fields).data
    return file
      ? {
          text: cut(file.caption),
          media: { id: file.id, name: nameOf(type, file) },
          ...(type === 'audio' && { spoken: true as const }),
        }
      : null
  }
  switch (type) {
    case 'interactive': {
      const given = z.looseObject({ type: z.string() }).safeParse(fields).data
      const reply = given && chosen.safeParse(given[given.type]).data
      return reply ? { text: cut(reply.title), choice: reply.id } : null
    }
    case 'button': {
      // of a template
      const button = z.object({ payload: words, text: words }).safeParse(fields).data
      return button ? { text: cut(button.text), choice: button.payload } : null
    }
    case 'location': {
      const found = place.safeParse(fields).data
      if (!found) return null
      const at = `${found.latitude}, ${found.longitude}`
      return plain([found.name, found.address, at].filter(Boolean).join('\n'))
    }
    case 'contacts': {
      const cards = z.array(z.unknown()).safeParse(fields).data?.slice(0, MOST_CARDS) ?? []
      return plain(cards.flatMap((each) => cardText(card.safeParse(each).data)).join('\n'))
    }
    case 'order': {
      const found = order.safeParse(fields).data
      const items = found?.product_items.map(
        ({ product_retailer_id, quantity }) => `${quantity} × ${product_retailer_id}`,
      )
      return found ? plain([found.text, ...(items ?? [])].filter(Boolean).join('\n')) : null
    }
    case 'edit': {
      const edited = z.object({ message: z.looseObject({ type: z.string() }) }).safeParse(fields).data?.message
      const said = edited && edited.type !== 'edit' ? readContent(edited) : null
      return said && { text: said.text }
    }
    default:
      return null
  }
}

const plain = (text: string): Said | null => (text.trim() === '' ? null : { text: cut(text) })
/** At most what a conversation takes of a person at once. */
export const cut = (text: string): string => text.slice(0, MOST_TEXT)

const cardText = (found: z.infer<typeof card> | undefined): string[] =>
  found
    ? [
        [
          found.name.formatted_name,
          ...found.phones.map(({ phone }) => phone),
          ...found.emails.map(({ email }) => email),
        ].join(' '),
      ]
    : []

/** Voices and pictures have no names; the ending says what they are. */
function nameOf(type: string, { filename, mime_type }: { filename: string; mime_type: string }): string {
  if (filename !== '') return filename.slice(0, 255)
  const ending = /^[\w-]+\/([\w.+-]{1,20})/.exec(mime_type)?.[1] ?? 'bin'
  return `${type}.${{ jpeg: 'jpg', mpeg: 'mp3' }[ending] ?? ending}`
}
