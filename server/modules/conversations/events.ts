import { z } from 'zod'
import { type Actor, defineEvent, type EventContext } from '../../platform/events/defineEvent'
import type { ConversationsTable } from './tables'

/** A conversation by its gid and its environment, which tells tests from visitors' conversations. */
const conversation = z.strictObject({
  conversation: z.string(),
  environment: z.enum(['production', 'sharing', 'playground', 'editor']),
})
const run = conversation.extend({ run: z.int() })

/** Its first run also causes `run.started`. */
export const conversationStarted = defineEvent('conversation.started', conversation.extend({ channel: z.string() }))
/** The messages of one turn or one person, by their numbers; the texts are in rows. */
export const messageCreated = defineEvent(
  'message.created',
  conversation.extend({ first: z.int().min(1), last: z.int().min(1) }),
)
/** The visitor said whether a message of the bot's helped; null: took that back. */
export const messageRated = defineEvent(
  'message.rated',
  conversation.extend({ seq: z.int().min(1), helpful: z.boolean().nullable() }),
)
/** How far a message of the bot's side has come on a channel that says so; `dead`: its delivery was given up. */
export const messageDelivered = defineEvent(
  'message.delivered',
  z.strictObject({ conversation: z.string(), seq: z.int(), status: z.enum(['sent', 'delivered', 'read', 'dead']) }),
)
/** The visitor edited or deleted a message of theirs, on a channel that tells. */
export const messageChanged = defineEvent(
  'message.changed',
  z.strictObject({ conversation: z.string(), seq: z.int(), change: z.enum(['edited', 'deleted']) }),
)
/** The visitor reacted to a message by an emoji, on a channel that tells; `reacted` false: took that back. */
export const messageReacted = defineEvent(
  'message.reacted',
  z.strictObject({ conversation: z.string(), seq: z.int(), reacted: z.boolean() }),
)
/** A message whose delivery was given up is sent again. */
export const messageResent = defineEvent('message.resent', z.strictObject({ conversation: z.string(), seq: z.int() }))
/** The bot handed it over to people; nobody is assigned yet. */
export const conversationHandedOver = defineEvent('conversation.handedOver', conversation)
/** A member is assigned; the bot is suspended. */
export const conversationAssigned = defineEvent('conversation.assigned', conversation.extend({ user: z.string() }))
/** It was returned to the bot. */
export const conversationGivenBack = defineEvent('conversation.givenBack', conversation)
/** A member took it from whoever had it: nobody has it now. */
export const conversationUnassigned = defineEvent('conversation.unassigned', conversation)
/** A closed one is open again: a member said so, or its visitor wrote. */
export const conversationReopened = defineEvent('conversation.reopened', conversation)
export const conversationClosed = defineEvent('conversation.closed', conversation)
/** It is read and answered with another one of its visitor from now on. */
export const conversationMerged = defineEvent('conversation.merged', conversation.extend({ into: z.string() }))
/** Its visitor goes on in another one, or came from it (`at`: the other's channel); `joined`: with one contact. */
export const conversationContinued = defineEvent(
  'conversation.continued',
  conversation.extend({
    ...{ other: z.string(), at: z.string(), joined: z.boolean() },
    /** from WhatsApp to the web; absent: the other way */
    back: z.literal(true).optional(),
  }),
)
/** What a channel tells of its visitor that is no message. */
export const conversationTold = defineEvent(
  'conversation.told',
  conversation.extend({
    what: z.enum([
      ...['unsupported', 'number_changed', 'identity_changed'],
      ...['file_missing', 'file_too_large', 'file_refused'],
    ] as const),
    /** the kind of message that the channel does not pass on, in its words; absent: it does not say */
    kind: z.string().max(40).optional(),
  }),
)
/** It is one of its own again: a member said so, or its visitor wrote there. */
export const conversationSeparated = defineEvent('conversation.separated', conversation.extend({ from: z.string() }))
/** What the visitor said of it at its end; the words are a row. */
export const surveyAnswered = defineEvent(
  'survey.answered',
  conversation.extend({
    /** null: a question of a flow asked for something else */
    rating: z.int().min(1).max(5).nullable(),
    resolved: z.boolean().nullable(),
    /** the question of a flow; absent: the survey of the chatbot's settings */
    block: z.string().optional(),
  }),
)
/** `run`: its number in the conversation. */
export const runStarted = defineEvent('run.started', run)
/** Its flow ended, or another run replaced it. */
export const runEnded = defineEvent('run.ended', run)

/** Where a project takes replies by mail is another from now on. */
export const mailInboxChanged = defineEvent(
  'mail_inbox.changed',
  z.strictObject({ enabled: z.boolean(), kind: z.enum(['imap', 'webhook']) }),
)

export interface Told extends Pick<ConversationsTable, 'gid' | 'project_id' | 'environment'> {
  started_by: string | null
  number: number
  turns: number
}

/**
 * The context of a turn's events: those of one turn share a correlation id. @param by default: for a test, the tester
 * who started it
 */
export const turnContext = (
  { gid, project_id, started_by, number, turns }: Told,
  at: Date,
  by: Actor = { actor: 'bot' },
): EventContext => ({
  projectId: project_id,
  by: started_by === null ? by : { actor: 'user', userId: started_by },
  correlation: `${gid}.${number}.${turns}`,
  at,
})
/** The context of events about the conversation itself. */
export const about = ({ gid, environment }: Pick<Told, 'gid' | 'environment'>) => ({ conversation: gid, environment })
