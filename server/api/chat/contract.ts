import { z } from 'zod'
import { defineRoute, gid } from '../route'

/** A visitor's side of a conversation: used by the shared page and, under other paths, by the playground. */
const leaf = z.strictObject({
  text: z.string(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
  link: z.string().optional(),
})
const renderedText = z.array(z.strictObject({ type: z.literal('paragraph'), children: z.array(leaf) }))

export const chatMessageSchema = z.strictObject({
  id: z.string(),
  /** counts up in its conversation, without gaps: what an event stream resumes from */
  seq: z.int(),
  /** SPEC.md 9: 1 ai, 2 user */
  author: z.union([z.literal(1), z.literal(2)]),
  content: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text'), text: renderedText }),
    z.strictObject({ kind: z.literal('image'), url: z.string(), alt: z.string(), link: z.string().optional() }),
  ]),
  client_id: z.string().optional(),
  at: z.string(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

export const inputRequestSchema = z.discriminatedUnion('input', [
  z.strictObject({
    input: z.literal('text'),
    long: z.boolean(),
    placeholder: z.string(),
    required: z.boolean(),
    maxLength: z.int(),
  }),
  z.strictObject({ input: z.literal('email'), placeholder: z.string(), required: z.boolean() }),
  z.strictObject({
    input: z.literal('number'),
    placeholder: z.string(),
    required: z.boolean(),
    integer: z.boolean(),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
  z.strictObject({
    input: z.literal('choice'),
    multiple: z.boolean(),
    typing: z.boolean(),
    placeholder: z.string(),
    options: z.array(z.strictObject({ id: z.string(), label: z.string(), url: z.string().optional() })),
  }),
])

/** `state` says who speaks next: `waiting` for the visitor (`request` says what for), or the conversation is over. */
export const conversationSchema = z.strictObject({
  id: gid,
  state: z.enum(['waiting', 'ended']),
  request: inputRequestSchema.nullable(),
  messages: z.array(chatMessageSchema),
})
export type Conversation = z.infer<typeof conversationSchema>

/** SPEC.md 9: a user message is at most 20,000 characters. */
export const replySchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.string().min(1, 'Enter a value').max(20_000, 'Must not exceed 20000 characters'),
  }),
  z.strictObject({ type: z.literal('choice'), optionIds: z.array(z.string().max(64)).min(1).max(500) }),
  z.strictObject({ type: z.literal('skip') }),
])
/** Chosen by the client, so that a message sent twice is one turn. */
export const clientMessageId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)

/** The sequence number of the last message that a listener has: as large as the database counts. */
export const sequence = z.coerce.number().int().min(0).max(2_000_000_000)

/** The conversation's secret, in the Authorization header as `Bearer …`; an event stream sends it as `token`. */
const slugParams = z.strictObject({ slug: z.string().max(64) })
const conversationParams = z.strictObject({ slug: z.string().max(64), conversation: gid })

export const chatPage = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug',
  access: 'public',
  params: slugParams,
  answer: z.strictObject({ name: z.string(), language: z.string() }),
})
export const startConversation = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations',
  access: 'public',
  params: slugParams,
  body: z.strictObject({ client_id: clientMessageId }),
  answer: z.strictObject({ token: z.string(), conversation: conversationSchema }),
})
export const readConversation = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug/conversations/:conversation',
  access: 'public',
  params: conversationParams,
  answer: z.strictObject({ conversation: conversationSchema }),
})
/** Answers with what came of the turn: the visitor's message and those that followed. */
export const sendMessage = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/messages',
  access: 'public',
  params: conversationParams,
  body: z.strictObject({ client_id: clientMessageId, reply: replySchema }),
  answer: z.strictObject({ conversation: conversationSchema }),
})
/** Server-sent events `update` ({ conversation } with the messages after `after`), resumed from the sequence number. */
export const conversationEvents = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug/conversations/:conversation/events',
  access: 'public',
  params: conversationParams,
  query: z.strictObject({ token: z.string().max(128), after: sequence.default(0) }),
  answer: z.unknown(),
})
