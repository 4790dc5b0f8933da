import { z } from 'zod'
import { caps, tooLong } from '../values/caps'
import { listFields } from '../values/richText'
import { ruleMessages } from '../values/rules'

/**
 * What is said in a conversation: messages, what a visitor is asked for, what comes back. One shape from the block that yields
 * it to the widget that draws it; everything is rendered already, ids are those of the block's data.
 */
const leaf = z.strictObject({
  text: z.string(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
  link: z.string().optional(),
})
export const renderedText = z.array(
  z.strictObject({ type: z.literal('paragraph'), ...listFields, children: z.array(leaf) }),
)

const choice = z.strictObject({
  id: z.string(),
  label: z.string(),
  /** opens this address instead of answering */
  url: z.string().optional(),
})
const card = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  image: z.string().optional(),
  imageLink: z.string().optional(),
  buttons: z.array(choice),
})
/** A file that a visitor sent: `url` leads to this installation; `size` in bytes. */
export const sentFileSchema = z.strictObject({
  name: z.string(),
  url: z.string(),
  type: z.string(),
  size: z.number(),
})

/** What stands in a conversation. `kind` follows SPEC.md 3 (block types of chat messages). */
export const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: renderedText }),
  z.strictObject({ kind: z.literal('image'), url: z.string(), alt: z.string(), link: z.string().optional() }),
  z.strictObject({ kind: z.literal('video'), url: z.string(), caption: z.string() }),
  z.strictObject({ kind: z.literal('audio'), url: z.string(), caption: z.string() }),
  z.strictObject({ kind: z.literal('carousel'), items: z.array(card) }),
  /** another page within the chat; `height` in px */
  z.strictObject({ kind: z.literal('embed'), url: z.string(), title: z.string(), height: z.int() }),
  /** the visitor's browser goes there; a link stands for it where it may not */
  z.strictObject({ kind: z.literal('redirect'), url: z.string(), newTab: z.boolean() }),
  /** by visitors alone */
  z.strictObject({ kind: z.literal('files'), files: z.array(sentFileSchema) }),
  /** an answer with the passages it rests on, numbered as in the text */
  z.strictObject({
    kind: z.literal('answer'),
    text: renderedText,
    sources: z.array(z.strictObject({ title: z.string(), url: z.string().optional() })),
  }),
])

/** What every request may have. */
const common = {
  /** seconds after which the conversation goes on without an answer ("no reply in N") */
  timeout: z.int().optional(),
}
const field = {
  ...common,
  placeholder: z.string(),
  required: z.boolean(),
  /** answers at a tap: the label is sent as if typed */
  quickReplies: z.array(z.strictObject({ id: z.string(), label: z.string() })).optional(),
}

/** The conversation was handed to people: what is written from here on is for them. */
const teamSchema = z.strictObject({
  /** `mail`: they were mailed; `kept`: no mail server is set up, so that they see it when they look, and not before */
  delivery: z.enum(['mail', 'kept']),
  /** where they answer; left out: the visitor gave no address */
  email: z.string().optional(),
})

export const formFieldTypes = [
  'text',
  'long-text',
  'email',
  'phone',
  'number',
  'url',
  'date',
  'select',
  'multiple',
  'checkbox',
] as const

/** What the conversation waits for: drives the visitor's input. */
export const inputRequestSchema = z.discriminatedUnion('input', [
  z.strictObject({
    input: z.literal('text'),
    ...field,
    long: z.boolean(),
    minLength: z.int().optional(),
    maxLength: z.int(),
    toTeam: teamSchema.optional(),
  }),
  z.strictObject({ input: z.literal('email'), ...field }),
  z.strictObject({ input: z.literal('phone'), ...field }),
  z.strictObject({ input: z.literal('url'), ...field }),
  z.strictObject({
    input: z.literal('number'),
    ...field,
    integer: z.boolean(),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
  /**
   * Answered with ISO 8601 text as the clock of `timeZone` shows it: `2026-11-21`, `09:30`, `2026-11-21T09:30`; a range as `from/to`;
   * min and max likewise. Without a zone the visitor's own is meant: a date with time then ends in its offset (`+01:00`).
   */
  z.strictObject({
    input: z.literal('date'),
    ...field,
    mode: z.enum(['date', 'time', 'date-time']),
    range: z.boolean(),
    min: z.string().optional(),
    max: z.string().optional(),
    timeZone: z.string().optional(),
  }),
  z.strictObject({
    input: z.literal('choice'),
    ...common,
    multiple: z.boolean(),
    /** the visitor may type instead of choosing */
    typing: z.boolean(),
    placeholder: z.string(),
    options: z.array(choice),
    /** `cards`: the options are the buttons of the carousel just said, and are drawn there */
    shown: z.enum(['list', 'cards']).optional(),
    /** the visitor may skip; only `satisfaction` and the like set it */
    skippable: z.boolean().optional(),
  }),
  /** one of `options`, drawn as a scale */
  z.strictObject({
    input: z.literal('rating'),
    ...common,
    required: z.boolean(),
    scale: z.enum(['emoji', 'text', 'stars', 'numbers']),
    options: z.array(choice),
  }),
  z.strictObject({
    input: z.literal('form'),
    ...common,
    required: z.boolean(),
    submitLabel: z.string(),
    fields: z.array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        type: z.enum(formFieldTypes),
        required: z.boolean(),
        placeholder: z.string(),
        choices: z.array(z.string()),
        /** most characters that are taken; of what is typed */
        maxLength: z.int().positive().optional(),
        /** what is wrong with the entry that was sent */
        problem: z.string().optional(),
        /** the entry that was sent, or what is known already */
        value: z.union([z.string(), z.array(z.string())]).optional(),
      }),
    ),
  }),
  z.strictObject({
    input: z.literal('file'),
    ...common,
    required: z.boolean(),
    /** as in the attribute `accept`: `image/*`, `.pdf`; empty: any */
    accept: z.array(z.string()),
    /** most bytes a file */
    maxSize: z.int(),
    maxCount: z.int(),
  }),
  /** nothing is asked: the conversation goes on by itself after `timeout` seconds */
  z.strictObject({ input: z.literal('wait'), timeout: z.int() }),
])

/** What comes back from an `ask`. `timeout` comes from the host's clock alone. A text is at most 20,000 characters (SPEC.md 9). */
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1, ruleMessages.text).max(caps.userMessage, tooLong(caps.userMessage)),
})
const chosen = z.strictObject({ type: z.literal('choice'), optionIds: z.array(z.string().max(64)).min(1).max(500) })
const skip = z.strictObject({ type: z.literal('skip') })
const entry = z.string().max(caps.userMessage, tooLong(caps.userMessage))
const form = z.strictObject({
  type: z.literal('form'),
  values: z.record(z.string().max(64), z.union([entry, z.array(entry).max(100)])),
})
const files = z.strictObject({ type: z.literal('files'), files: z.array(sentFileSchema).max(50) })
const timeout = z.strictObject({ type: z.literal('timeout') })

export const replySchema = z.discriminatedUnion('type', [text, chosen, skip, form, files, timeout])

/** A reply as a visitor's client sends it: files by the ids that their upload gave. */
export const sentReplySchema = z.discriminatedUnion('type', [
  text,
  chosen,
  skip,
  form,
  z.strictObject({
    type: z.literal('files'),
    fileIds: z
      .array(z.string().regex(/^[a-z0-9]{16}$/))
      .min(1)
      .max(50),
  }),
])

export type BotMessage = z.infer<typeof messageSchema>
export type InputRequest = z.infer<typeof inputRequestSchema>
export type ToTeam = z.infer<typeof teamSchema>
export type SentFile = z.infer<typeof sentFileSchema>
export type Reply = z.infer<typeof replySchema>
export type SentReply = z.infer<typeof sentReplySchema>

/** A conversation begins. What the host does not know it leaves out. */
export interface StartEvent {
  type: 'start'
  /** the page that the visitor has open */
  url?: string
  /** whole days since the visitor's conversation before this one; absent on a first visit */
  awayDays?: number
  /** ids of the trigger blocks that began a conversation during this visit */
  begun?: readonly string[]
}
