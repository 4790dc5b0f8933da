import { z } from 'zod'
import { type Actor, defineEvent, type EventContext } from '../../platform/events/defineEvent'
import type { ConversationsTable } from './tables'

/** A conversation by its gid, and where it is held: tests are told apart by it. */
const conversation = z.strictObject({
  conversation: z.string(),
  environment: z.enum(['production', 'sharing', 'playground', 'editor']),
})
const run = conversation.extend({ run: z.int() })

/** The first run of it is `run.started` as well. */
export const conversationStarted = defineEvent('conversation.started', conversation.extend({ channel: z.string() }))
/** What one turn said, or one person: the messages with these numbers, which are rows. */
export const messageCreated = defineEvent(
  'message.created',
  conversation.extend({ first: z.int().min(1), last: z.int().min(1) }),
)
/** A message that its channel had given up is sent again. */
export const messageResent = defineEvent('message.resent', z.strictObject({ conversation: z.string(), seq: z.int() }))
/** The bot gave it to people; nobody has it yet. */
export const conversationHandedOver = defineEvent('conversation.handedOver', conversation)
/** A member has it; the bot stands still. */
export const conversationAssigned = defineEvent('conversation.assigned', conversation.extend({ user: z.string() }))
/** The bot has it again. */
export const conversationGivenBack = defineEvent('conversation.givenBack', conversation)
export const conversationClosed = defineEvent('conversation.closed', conversation)
/** `run`: its number in the conversation. */
export const runStarted = defineEvent('run.started', run)
/** Its flow came to an end, or another run took its place. */
export const runEnded = defineEvent('run.ended', run)

export interface Told extends Pick<ConversationsTable, 'gid' | 'project_id' | 'environment'> {
  started_by: string | null
  number: number
  turns: number
}

/** What events say of a conversation's turn: those of one turn have one correlation. @param by a tester, who started it, unless said */
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
/** What they say of the conversation itself. */
export const about = ({ gid, environment }: Pick<Told, 'gid' | 'environment'>) => ({ conversation: gid, environment })
