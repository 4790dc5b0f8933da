import { z } from 'zod'
import { caps, tooLong } from '../values/caps'
import { type Json, jsonSchema } from '../values/json'
import { listFields } from '../values/richText'
import { ruleMessages } from '../values/rules'

/**
 * The content of a conversation: messages, input requests and replies. One shape from the block that yields it to the
 * widget that draws it. Fully rendered; ids are those of the block's data.
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
/** A file that a visitor sent: `url` points to this installation; `size` in bytes. */
export const sentFileSchema = z.strictObject({
  name: z.string(),
  url: z.string(),
  type: z.string(),
  size: z.number(),
})

/**
 * A message that a channel has approved before, which it takes when it takes nothing else: its name there, and what
 * fills its places. What it says stands in the message's text, which every other channel shows.
 */
const templateSchema = z.strictObject({
  name: z.string(),
  language: z.string(),
  values: z.array(
    z.strictObject({
      part: z.enum(['header', 'body', 'button']),
      /** which button */
      index: z.int(),
      name: z.string(),
      kind: z.enum(['text', 'image', 'video', 'document']),
      value: z.string(),
    }),
  ),
})

/**
 * How a channel that can shows a text: a place on a map, a person's card, a file to keep. The text says
 * the same to every other channel.
 */
const nativeSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string(),
    address: z.string(),
  }),
  z.strictObject({
    type: z.literal('contact'),
    name: z.string(),
    phone: z.string(),
    email: z.string(),
    company: z.string(),
    url: z.string(),
  }),
  /** a file to keep; empty: without a caption */
  z.strictObject({ type: z.literal('document'), url: z.string(), name: z.string(), caption: z.string() }),
])

/** What a visitor did to a message of theirs later, on a channel that tells. */
const changedSchema = z.discriminatedUnion('type', [
  /** `before`: what it said first */
  z.strictObject({ type: z.literal('edited'), before: z.string() }),
  z.strictObject({ type: z.literal('deleted') }),
])

/** Where an AI response comes from: the chatbot's sources, or a model alone. */
export const responseSources = ['knowledge', 'model'] as const
/** What SPEC.md 3 says of an AI response, by its names. */
export const aiResponseSchema = z.strictObject({
  response_source: z.enum(responseSources),
  /** whether it was shown while it was written */
  stream: z.boolean(),
  /** nothing was found: it says so, or asks about what is near */
  answer_not_found: z.boolean(),
})
export type AiResponse = z.infer<typeof aiResponseSchema>

/** A message's content. `kind` follows SPEC.md 3 (block types of chat messages). */
export const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    text: renderedText,
    template: templateSchema.optional(),
    native: nativeSchema.optional(),
    changed: changedSchema.optional(),
    /** left out: it is no AI response */
    ai: aiResponseSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('image'), url: z.string(), alt: z.string(), link: z.string().optional() }),
  z.strictObject({ kind: z.literal('video'), url: z.string(), caption: z.string() }),
  z.strictObject({ kind: z.literal('audio'), url: z.string(), caption: z.string() }),
  z.strictObject({ kind: z.literal('carousel'), items: z.array(card) }),
  /** another page within the chat; `height` in px */
  z.strictObject({ kind: z.literal('embed'), url: z.string(), title: z.string(), height: z.int() }),
  /** the visitor's browser navigates there; shown as a link where it may not */
  z.strictObject({ kind: z.literal('redirect'), url: z.string(), newTab: z.boolean() }),
  /** only from visitors */
  z.strictObject({ kind: z.literal('files'), files: z.array(sentFileSchema), changed: changedSchema.optional() }),
  /** an answer and the passages it cites, numbered as in the text */
  z.strictObject({
    kind: z.literal('answer'),
    text: renderedText,
    sources: z.array(z.strictObject({ title: z.string(), url: z.string().optional() })),
    /** left out: it was said before this was noted */
    ai: aiResponseSchema.optional(),
  }),
])

/** Fields of every request. */
const common = {
  /** seconds after which the conversation goes on without an answer ("no reply in N") */
  timeout: z.int().optional(),
  /** the name of what may happen elsewhere and answers it as well, such as a booking on another page */
  event: z.string().optional(),
}
const field = {
  ...common,
  placeholder: z.string(),
  required: z.boolean(),
  /** suggested answers: the label is sent as if typed */
  quickReplies: z.array(z.strictObject({ id: z.string(), label: z.string() })).optional(),
}

/** The conversation was handed over: later messages are for people. */
const teamSchema = z.strictObject({
  /** `mail`: they were mailed; `kept`: there is no mail server, so they only see it when they look */
  delivery: z.enum(['mail', 'kept']),
  /** where they answer; absent: the visitor gave no address */
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

/** What the conversation waits for; decides which input the visitor sees. */
export const inputRequestSchema = z.discriminatedUnion('input', [
  z.strictObject({
    input: z.literal('text'),
    ...field,
    long: z.boolean(),
    minLength: z.int().optional(),
    maxLength: z.int(),
    toTeam: teamSchema.optional(),
    /** a place is asked for, which some channels can send as one */
    wants: z.literal('location').optional(),
    /** how satisfied the visitor is: the answer counts among those of the survey */
    survey: z.literal(true).optional(),
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
   * The answer is ISO 8601 text in the local time of `timeZone`: `2026-11-21`, `09:30`, `2026-11-21T09:30`; a range as
   * `from/to`; min and max likewise. Without a zone the visitor's own applies: a date with time then ends in its offset
   * (`+01:00`).
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
    /** whether the visitor may type instead of choosing */
    typing: z.boolean(),
    placeholder: z.string(),
    options: z.array(choice),
    /**
     * `cards`: the options are the buttons of the preceding carousel and are drawn there; `template`: they are those of
     * the preceding template, where the channel shows one, else a list
     */
    shown: z.enum(['list', 'cards', 'template']).optional(),
    /** whether the visitor may skip; set by `satisfaction` and similar kinds */
    skippable: z.boolean().optional(),
    /** as of a text */
    survey: z.literal(true).optional(),
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
        /** the most characters that may be typed */
        maxLength: z.int().positive().optional(),
        /** what is wrong with the submitted entry */
        problem: z.string().optional(),
        /** the submitted entry, or a known value */
        value: z.union([z.string(), z.array(z.string())]).optional(),
      }),
    ),
  }),
  z.strictObject({
    input: z.literal('file'),
    ...common,
    required: z.boolean(),
    /** as in the HTML attribute `accept`: `image/*`, `.pdf`; empty: any */
    accept: z.array(z.string()),
    /** the most bytes per file */
    maxSize: z.int(),
    maxCount: z.int(),
  }),
  /** no question: the conversation goes on after `timeout` seconds */
  z.strictObject({ input: z.literal('wait'), timeout: z.int() }),
])

/**
 * The reply to an `ask`. `timeout` comes only from the runtime's clock, `signal` and `event` from the runtime. A text
 * has at most 20,000 characters (SPEC.md 9).
 */
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
/** Another program calls a trigger: the flow goes on there, with these values of variables. */
const signal = z.strictObject({
  type: z.literal('signal'),
  trigger: z.string().max(64),
  values: z.record(z.string().max(64), jsonSchema),
})
/** What the question waits for has happened elsewhere: the event that its request names, with what is known of it. */
const event = z.strictObject({
  type: z.literal('event'),
  event: z.string().max(64),
  values: z.record(z.string().max(64), jsonSchema),
})

export const replySchema = z.discriminatedUnion('type', [text, chosen, skip, form, files, timeout, signal, event])

/** A reply as a visitor's client sends it: files are given by their upload ids. */
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

/** A call of a trigger by another program: the trigger's block, and values by variable id. */
export interface Signal {
  trigger: string
  values: Readonly<Record<string, Json>>
}

/** A conversation begins. What the runtime does not know it leaves out. */
export interface StartEvent {
  type: 'start'
  /** the page that the visitor has open */
  url?: string
  /** whole days since the visitor's conversation before this one; absent on a first visit */
  awayDays?: number
  /** ids of the trigger blocks that began a conversation during this visit */
  begun?: readonly string[]
  /** it begins because another program called a trigger, and nowhere else */
  signal?: Signal
  /** the id of the trigger whose link's text the visitor sent */
  opened?: string
  /** the advertisement that the visitor came by */
  referral?: Referral
}

/** What a channel says of an advertisement; empty: nothing. */
export interface Referral {
  url: string
  id: string
  type: string
  headline: string
  body: string
  clickId: string
}
