import { z } from 'zod'
import { inputRequestSchema, messageSchema, type renderedText, sentReplySchema } from '../../engine/flow/conversation'
import { caps, contactCaps, tooLong, visitorCaps } from '../../engine/values/caps'
import { parseEmail } from '../../engine/values/rules'
import { defineRoute, gid, ok } from './route'
import { lookSchema } from './web/look'
import { FEEDBACK_CAP, languageSchema, SHARE_PASSWORD_CAP, surveyReasons, surveySchema } from './web/settings'

/** Most characters of a message that is left outside of the hours; ours. */
export const LEFT_MESSAGE_CAP = 2_000

/** Most characters of the question that a visitor consents to; ours. */
export const CONSENT_QUESTION_CAP = 500

/** A visitor's side of a conversation, used by the shared page and, under other paths, by the playground. */
export const chatMessageSchema = z.strictObject({
  id: z.string(),
  /** increases without gaps within its conversation; event streams resume from it */
  seq: z.int(),
  /** SPEC.md 9: 1 ai, 2 user */
  author: z.union([z.literal(1), z.literal(2)]),
  content: messageSchema,
  client_id: z.string().optional(),
  at: z.string(),
  /** what the visitor said of it; left out, null: nothing */
  helpful: z.boolean().nullable().optional(),
  /** the name of the person who wrote it; left out: the bot, or the visitor */
  sender: z.string().optional(),
  /** the address of their picture on this installation; left out: they have none */
  picture: z.string().optional(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** `state`: `waiting` for the visitor (`request` says what for), or the conversation is over. */
export const conversationSchema = z.strictObject({
  id: gid,
  state: z.enum(['waiting', 'ended']),
  request: inputRequestSchema.nullable(),
  messages: z.array(chatMessageSchema),
  /** there are messages before the first of these; left out where only the newest were asked for */
  earlier: z.boolean().optional(),
  /** how many visitors come before this one, who waits for a person; left out: nobody is waited for */
  before: z.int().optional(),
  /** the visitor waits for a person outside of the team's hours: its own words, if it has some; left out: does not */
  away: z.strictObject({ message: z.string(), opens_at: z.string().nullable() }).optional(),
  /** a person has the conversation, or is waited for, who is told what the visitor does; left out: nobody is */
  people: z.literal(true).optional(),
})
export type Conversation = z.infer<typeof conversationSchema>

/** The text that the bot is writing, complete each time, until a message after `after` arrives. Not stored. */
export interface Draft {
  after: number
  /** empty: withdrawn */
  text: z.infer<typeof renderedText>
  /** the name of the person who writes; their text is shown once it is sent */
  by?: string
}

/** What editors have published: how the chat is drawn and set, or another version of the flow. */
export interface Publication {
  what: 'web' | 'flow'
}

/** Chosen by the client, so that a message sent twice causes one turn. */
export const clientMessageId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)

/** The sequence number of the client's last message, up to the database's maximum. */
export const sequence = z.coerce.number().int().min(0).max(2_000_000_000)

/** Names the chatbot: by its shared page's slug, or, where it is embedded, by `@` and its external id. */
const slugParams = z.strictObject({ slug: z.string().max(64) })
/** The conversation's secret is in the Authorization header as `Bearer …`; an event stream sends it as `token`. */
const conversationParams = z.strictObject({ slug: z.string().max(64), conversation: gid })

export const chatPage = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug',
  access: 'public',
  load: 'turn',
  params: slugParams,
  /** `language` is that of the chat's own texts, by its code; `auto`: the visitor's */
  answer: z.strictObject({
    name: z.string(),
    language: z.string(),
    /** the editors' own words, by language and key, instead of the chat's */
    texts: languageSchema.shape.texts,
    look: lookSchema,
    /** what it takes to talk on the shared page; null: nothing */
    lock: z.enum(['password', 'members']).nullable(),
    /** where members log in, on the builder's origin; null: they need not */
    login_url: z.string().nullable(),
    /** outside of its hours: what visitors are told, and whether they may leave a message; null: it is open */
    closed: z.strictObject({ message: z.string(), form: z.boolean(), opens_at: z.string().nullable() }).nullable(),
    /** what is asked at the end; null: nothing is */
    survey: surveySchema.nullable(),
    /** nothing is kept in the browser before the visitor agrees */
    consent: z.boolean(),
  }),
})
export type ChatPage = z.infer<(typeof chatPage)['answer']>
/** Made by the visitor's browser: one that it keeps, and one for the visit. */
const browserId = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)
/** As browsers name it: `en`, `pt-BR`. */
export const language = z.string().regex(/^[A-Za-z0-9-]{2,35}$/)
/** Facts about the visit, claimed by the browser; all optional. */
const visit = {
  visitor: browserId.optional(),
  visit: browserId.optional(),
  /** the open page */
  url: z.string().max(caps.url).optional(),
  language: language.optional(),
}
export type Visit = z.infer<z.ZodObject<typeof visit>>

/** SPEC.md 9: the id of a user */
const signedUser = z.strictObject({
  id: z.string().min(1).max(36, tooLong(36)),
  hash: z.string().regex(/^[0-9a-f]{64}$/i),
})
/**
 * Variables of the flow by their names, which the page sets: its word, as what a visitor types. Those that the flow has
 * not are passed over.
 */
const pageVariables = z
  .record(z.string().min(1).max(50), z.union([z.string().max(3_000, tooLong(3_000)), z.number(), z.boolean()]))
  .refine((all) => Object.keys(all).length <= 50, 'At most 50 variables')

/**
 * Starts a conversation. With `resume`, the given one continues instead, unless a trigger for this visit matches (for
 * returning users, or for the page), or its visitor has said nothing and another version is published.
 */
export const startConversation = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations',
  access: 'public',
  limit: { by: 'address', most: 'chatStartsPerMinute' },
  load: 'turn',
  params: slugParams,
  body: z.strictObject({
    client_id: clientMessageId,
    ...visit,
    /** the pass of a shared page that is locked */
    access: z.string().max(200).optional(),
    /** of a chat on a page of another site: what the server has let that page have (`embedConfig`) */
    frame: z.string().max(1_024).optional(),
    /** who the visitor is by the word of the site, which has signed the id: HMAC with SHA-256, hexadecimal */
    user: signedUser.optional(),
    variables: pageVariables.optional(),
    resume: z.strictObject({ conversation: gid, token: z.string().max(128) }).optional(),
  }),
  answer: z.strictObject({
    token: z.string(),
    conversation: conversationSchema,
    resumed: z.boolean(),
    /** `teaser`: the first message is shown beside the closed chat until the visitor opens it */
    shows: z.enum(['open', 'teaser']),
  }),
})
/** Gives a pass to a shared page for its password, which `startConversation` takes. 422 `wrong_password`. */
export const unlockChat = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/access',
  access: 'public',
  limit: { by: 'address', most: 60 },
  params: slugParams,
  body: z.strictObject({ password: z.string().max(SHARE_PASSWORD_CAP) }),
  answer: z.strictObject({ access: z.string() }),
})
/**
 * Sends a member who is logged in back to the shared page with a pass, and others to log in: an address of the
 * builder's own origin. `from=domain`: back to the chatbot's own host.
 */
export const enterShared = defineRoute({
  method: 'GET',
  path: '/api/share/:slug/enter',
  access: 'public',
  limit: { by: 'address', most: 60 },
  params: slugParams,
  query: z.strictObject({ from: z.literal('domain').optional() }),
  answer: z.unknown(),
})
/**
 * Outside of its hours: what a visitor has to say goes to the team by mail. 403 `chat_closed` where no form is shown.
 */
export const leaveMessage = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/left-messages',
  access: 'public',
  limit: { by: 'address', most: 30 },
  params: slugParams,
  body: z.strictObject({
    /** the same id is one message, however often it is sent */
    client_id: clientMessageId,
    name: z.string().trim().min(1, 'Enter your name').max(contactCaps.name, tooLong(contactCaps.name)),
    email: z
      .string()
      .trim()
      .max(contactCaps.email, tooLong(contactCaps.email))
      .refine((email) => parseEmail(email) !== null, 'Enter a valid email address'),
    message: z.string().trim().min(1, 'Enter a message').max(LEFT_MESSAGE_CAP, tooLong(LEFT_MESSAGE_CAP)),
    access: z.string().max(200).optional(),
  }),
  answer: ok,
})
/** What a visitor says of the conversation; said again, it takes the place of what was said. */
export const answerSurvey = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/survey',
  access: 'visitor',
  params: conversationParams,
  body: z.strictObject({
    rating: z.int().min(1).max(5),
    follow_up: z.array(z.enum(surveyReasons)).max(surveyReasons.length).default([]),
    resolved: z.boolean().nullable().default(null),
    feedback: z.string().trim().max(FEEDBACK_CAP, tooLong(FEEDBACK_CAP)).default(''),
  }),
  answer: ok,
})
/**
 * The visitor lets the browser keep the conversation, declines that, or takes it back. Said again, it is not kept a
 * second time.
 */
export const sayConsent = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/consent',
  access: 'visitor',
  params: conversationParams,
  body: z.strictObject({
    given: z.boolean(),
    /** the question as it was shown; empty: the site that the chat stands on has asked */
    question: z.string().trim().max(CONSENT_QUESTION_CAP, tooLong(CONSENT_QUESTION_CAP)),
    /** whether the visit counts in analytics (SPEC.md 3); absent: as before, and before anybody says so it does */
    analytics: z.boolean().optional(),
  }),
  answer: ok,
})
export const readConversation = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug/conversations/:conversation',
  access: 'visitor',
  load: 'turn',
  params: conversationParams,
  answer: z.strictObject({
    conversation: conversationSchema,
    /** its visitor has said nothing, and another version is published: `startConversation` begins that one instead */
    renews: z.boolean(),
  }),
})
/** Messages that a page opens with, and that each further page has. */
export const MESSAGES_A_PAGE = 50

/** The messages before one, in their order: those that are nearest to it. */
export const readEarlierMessages = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug/conversations/:conversation/messages',
  access: 'visitor',
  load: 'turn',
  params: conversationParams,
  query: z.strictObject({ before: sequence }),
  answer: z.strictObject({ messages: z.array(chatMessageSchema), earlier: z.boolean() }),
})

/** Says whether one of the bot's messages helped; null takes that back. */
export const rateMessage = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/messages/:seq/rating',
  access: 'visitor',
  load: 'turn',
  params: conversationParams.extend({ seq: sequence }),
  body: z.strictObject({ helpful: z.boolean().nullable() }),
  answer: ok,
})

/** Mails the conversation to an address that the visitor gives, where the chatbot's look offers that. */
export const mailTranscript = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/transcript',
  access: 'visitor',
  load: 'turn',
  limit: { by: 'address', most: 60, seconds: 3_600 },
  params: conversationParams,
  body: z.strictObject({ email: z.string().trim().max(visitorCaps.email, tooLong(visitorCaps.email)) }),
  answer: ok,
})

/** Tells the team that the visitor writes, and that the messages so far are read. Not stored but for the latter. */
export const showVisitorPresence = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/presence',
  access: 'visitor',
  params: conversationParams,
  body: z.strictObject({ typing: z.boolean().default(false), seen: z.boolean().default(false) }),
  answer: ok,
})

/** Answers with the turn's messages: the visitor's and those that followed. */
export const sendMessage = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/messages',
  access: 'visitor',
  load: 'turn',
  params: conversationParams,
  body: z.strictObject({ client_id: clientMessageId, reply: sentReplySchema }),
  answer: z.strictObject({
    conversation: conversationSchema,
    /** what the visitor has written in, where that is clear: the chat's own texts follow it unless one is set */
    language: z.string().nullable(),
  }),
})
/** Sets variables of the flow by their names, for what follows. */
export const setVariables = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/variables',
  access: 'visitor',
  load: 'turn',
  params: conversationParams,
  body: z.strictObject({ variables: pageVariables }),
  answer: ok,
})
/**
 * Server-sent events `update` ({ conversation } with the messages after `after`), resumed from the sequence number,
 * `draft`: the text being written, and `published` (Publication): what is published anew of the chatbot.
 */
export const conversationEvents = defineRoute({
  method: 'GET',
  path: '/api/chat/:slug/conversations/:conversation/events',
  access: 'visitor',
  params: conversationParams,
  query: z.strictObject({ token: z.string().max(128), after: sequence.default(0) }),
  answer: z.unknown(),
})

/** Of any type: it is recognised by its bytes. */
export const fileBody = z.custom<AsyncIterable<Uint8Array>>(
  (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
  'Send the file itself as the body, not JSON',
)
export const fileName = z.string().trim().max(255, 'Must not exceed 255 characters').default('')
/** Most bytes of a visitor's file, whatever a question allows. */
export const SENT_FILE_CAP = 100_000_000
export const sentFileAnswer = z.strictObject({
  file: z.strictObject({ id: gid, name: z.string(), type: z.string(), size: z.int() }),
})

/** Uploads a file while the conversation asks for one; a reply then refers to it by its id. */
export const sendFile = defineRoute({
  method: 'POST',
  path: '/api/chat/:slug/conversations/:conversation/files',
  access: 'visitor',
  params: conversationParams,
  query: z.strictObject({ name: fileName }),
  body: fileBody,
  bodyLimit: SENT_FILE_CAP,
  answer: sentFileAnswer,
})
/** A visitor's file, for anybody who knows its id: images, audio and video are shown, others are downloaded. */
export const readSentFile = defineRoute({
  method: 'GET',
  path: '/files/sent/:gid',
  access: 'public',
  params: z.strictObject({ gid }),
  answer: z.unknown(),
})
