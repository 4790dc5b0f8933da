import { z } from 'zod'
import { tooLong } from '../../../engine/values/caps'
import { parseColour } from '../../../engine/values/colour'

/**
 * A chat's appearance, and its texts before the first message. Each field has a default, so that a look stored before a
 * field was added stays valid.
 */

/** SPEC.md 9. */
export const lookCaps = {
  name: 100,
  headerTitle: 50,
  welcome: 1_000,
  initialMessage: 500,
  initialMessages: 1_500,
  queries: 50,
  queryLabel: 250,
  queryValue: 1_000,
  placeholder: 30,
  launcherText: 30,
  hovering: 250,
  footer: 250,
  variables: 50,
} as const

/** SPEC.md 3: rgba, hex, hex8. */
const colour = z
  .string()
  .trim()
  .refine((text) => parseColour(text) !== null, 'Enter a colour such as #1f6feb or rgba(31, 111, 235, 0.9)')
const text = (cap: number) => z.string().max(cap, tooLong(cap)).default('')
/** Empty, or an address that browsers may load an image from: of this installation (`/files/…`) or http(s). */
const image = z
  .string()
  .trim()
  .max(2_048, tooLong(2_048))
  .regex(/^(?:|\/files\/[^\s]*|https?:\/\/[^\s]+)$/, 'Enter a valid URL (must start with https:// or http://)')
  .default('')

const coloursOf = (defaults: { accent: string; background: string; text: string; bot: string; visitor: string }) =>
  z
    .strictObject({
      /** buttons, links, the launcher and the header's mark */
      accent: colour.default(defaults.accent),
      background: colour.default(defaults.background),
      text: colour.default(defaults.text),
      /** behind the bot's messages, and behind the visitor's own */
      bot: colour.default(defaults.bot),
      visitor: colour.default(defaults.visitor),
    })
    .prefault({})

export const fonts = ['inter', 'system', 'serif', 'rounded', 'mono'] as const
export const launcherIcons = ['chat', 'question', 'spark', 'hand', 'headset', 'image'] as const

const links = z
  .array(
    z.strictObject({
      label: z.string().trim().min(1, 'Enter a text').max(75, tooLong(75)),
      url: z
        .string()
        .trim()
        .max(2_048, tooLong(2_048))
        .regex(/^(?:https?:\/\/|mailto:)[^\s]+$/, 'Enter a valid URL (must start with https:// or http://)'),
    }),
  )
  .max(5, 'At most 5 links')
  .default([])

/** Of a value of CSS: what may stand before a bracket. `url` and its like load, and `var` leads elsewhere. */
const FUNCTIONS = /^(?:rgba?|hsla?|oklch|oklab|calc|min|max|clamp)$/i
/** Colours, lengths, numbers and words: nothing that loads, runs or ends a declaration. */
function isPlainValue(value: string): boolean {
  if (!/^[#a-z0-9 ,.()%+*-]*$/i.test(value)) return false
  return [...value.matchAll(/([^ ,()]*)\s*\(/g)].every(([, name = '']) => name === '' || FUNCTIONS.test(name))
}

export const lookSchema = z.strictObject({
  /** of themes.ts, while none of its colours was changed by hand; empty: one's own */
  theme: z.string().max(40).default('parley'),
  brand: z
    .strictObject({
      /** what visitors read; empty: the chatbot's name */
      name: text(lookCaps.name),
      avatar: image,
      logo: image,
    })
    .prefault({}),
  colours: z
    .strictObject({
      scheme: z.enum(['light', 'dark', 'system']).default('system'),
      light: coloursOf({
        accent: '#0f766e',
        background: '#ffffff',
        text: '#1b1c1a',
        bot: '#f2f2ef',
        visitor: '#0f766e',
      }),
      dark: coloursOf({
        accent: '#2bb5a6',
        background: '#161716',
        text: '#ececea',
        bot: '#232523',
        visitor: '#2bb5a6',
      }),
    })
    .prefault({}),
  launcher: z
    .strictObject({
      icon: z.enum(launcherIcons).default('chat'),
      image,
      text: text(lookCaps.launcherText),
      /** beside the closed launcher, until the visitor closes it or opens the chat */
      hovering: text(lookCaps.hovering),
      position: z.enum(['right', 'left']).default('right'),
      /** px from the side and from the bottom */
      offset_x: z.int().min(0).max(200).default(20),
      offset_y: z.int().min(0).max(200).default(20),
      /** px */
      size: z.int().min(40).max(80).default(56),
      /** false: not on screens that are narrower than 640 px */
      on_mobile: z.boolean().default(true),
    })
    .prefault({}),
  texts: z
    .strictObject({
      header_title: text(lookCaps.headerTitle),
      welcome: text(lookCaps.welcome),
      placeholder: text(lookCaps.placeholder),
      footer: text(lookCaps.footer),
      footer_links: links,
      initial_messages: z
        .array(
          z.string().trim().min(1, 'Enter a message').max(lookCaps.initialMessage, tooLong(lookCaps.initialMessage)),
        )
        .max(10, 'At most 10 messages')
        .refine((all) => all.join('').length <= lookCaps.initialMessages, tooLong(lookCaps.initialMessages))
        .default([]),
      queries: z
        .array(
          z.strictObject({
            label: z.string().trim().min(1, 'Enter a text').max(lookCaps.queryLabel, tooLong(lookCaps.queryLabel)),
            /** what is sent; empty: the label */
            value: z.string().trim().max(lookCaps.queryValue, tooLong(lookCaps.queryValue)).default(''),
          }),
        )
        .max(lookCaps.queries, `At most ${lookCaps.queries} queries`)
        .default([]),
    })
    .prefault({}),
  shape: z
    .strictObject({
      font: z.enum(fonts).default('inter'),
      /** px, of bubbles and buttons */
      radius: z.int().min(0).max(28).default(16),
      density: z.enum(['comfortable', 'compact']).default('comfortable'),
    })
    .prefault({}),
  parts: z
    .strictObject({
      sources: z.boolean().default(true),
      ratings: z.boolean().default(true),
      times: z.boolean().default(true),
      copy: z.boolean().default(true),
      voice: z.boolean().default(false),
      sounds: z.boolean().default(false),
      transcript: z.boolean().default(false),
      /** visitors can go on at WhatsApp, where the chatbot has a number */
      whatsapp: z.boolean().default(false),
      /** off only where the plan or the add-on branding_removal allows it */
      branding: z.boolean().default(true),
    })
    .prefault({}),
  /** custom properties of CSS, which themes of one's own site go by: `--chat-…` */
  variables: z
    .record(
      z.string().regex(/^--chat-[a-z0-9-]{1,40}$/, 'A name such as --chat-header'),
      z.string().trim().max(100, tooLong(100)).refine(isPlainValue, 'Colours, lengths and numbers alone'),
    )
    .refine((all) => Object.keys(all).length <= lookCaps.variables, `At most ${lookCaps.variables} variables`)
    .default({}),
})
export type Look = z.infer<typeof lookSchema>

export const defaultLook: Look = lookSchema.parse({})
