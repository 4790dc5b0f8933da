import { z } from 'zod'
import type { TemplatePlace } from '../../contracts/channelTemplates'

/** What a template shows, read from its components. */
export interface TemplateParts {
  header: string
  body: string
  footer: string
  buttons: string[]
  /** those of them that answer */
  replies: string[]
  places: TemplatePlace[]
  /** whether it has no part that is not known here, such as a catalogue or a code */
  isKnown: boolean
}

const MOST_COMPONENTS = 10
const MOST_PLACES = 40
const text = z.string().max(4_096).catch('')
const componentSchema = z.object({
  type: z.string().max(40),
  format: z.string().max(20).catch('TEXT'),
  text,
  buttons: z
    .array(z.object({ type: z.string().max(40), text, url: text }))
    .max(10)
    .catch([]),
})
/** Buttons that a message does not have to fill. */
const FIXED_BUTTONS: ReadonlySet<string> = new Set(['QUICK_REPLY', 'PHONE_NUMBER'])
const MEDIA = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const

/** Reads a template's components, of which not all may be known. @param given as WhatsApp gives them */
export function readTemplate(given: unknown): TemplateParts {
  const parts: TemplateParts = {
    ...{ header: '', body: '', footer: '', buttons: [], replies: [], places: [] },
    isKnown: true,
  }
  const components = z.array(componentSchema).max(MOST_COMPONENTS).safeParse(given).data
  for (const component of components ?? []) {
    const { text: words, format } = component
    switch (component.type.toUpperCase()) {
      case 'HEADER': {
        const media = Object.hasOwn(MEDIA, format) ? MEDIA[format as keyof typeof MEDIA] : null
        if (media) parts.places.push({ part: 'header', index: 0, name: '1', kind: media })
        else if (format !== 'TEXT') parts.isKnown = false
        parts.header = words
        parts.places.push(...placesIn(words, 'header'))
        break
      }
      case 'BODY':
        parts.body = words
        parts.places.push(...placesIn(words, 'body'))
        break
      case 'FOOTER':
        parts.footer = words
        break
      case 'BUTTONS':
        for (const [index, button] of component.buttons.entries()) {
          parts.buttons.push(button.text)
          if (button.type === 'QUICK_REPLY') parts.replies.push(button.text)
          if (button.type === 'URL') parts.places.push(...placesIn(button.url, 'button', index))
          else if (!FIXED_BUTTONS.has(button.type)) parts.isKnown = false
        }
        break
      default:
        parts.isKnown = false
    }
  }
  if (parts.body === '' || parts.places.length > MOST_PLACES) parts.isKnown = false
  return { ...parts, places: parts.places.slice(0, MOST_PLACES) }
}

/** The places of a text, each once, in the order in which they are first named. */
export function placesIn(words: string, part: TemplatePlace['part'], index = 0): TemplatePlace[] {
  const names = new Set([...words.matchAll(/\{\{([\w-]{1,60})\}\}/g)].map(([, name = '']) => name))
  return [...names].map((name) => ({ part, index, name, kind: 'text' }))
}
