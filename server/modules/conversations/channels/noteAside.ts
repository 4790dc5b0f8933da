import { cleanText } from '../../../../engine/values/cleanText'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { conversationTold, messageReacted } from '../events'
import type { LeftOut } from './channel'

/** Where a visitor is on a channel. */
export interface VisitorPlace {
  projectId: string
  chatbotId: string
  channel: string
  address: string
}

/** What a visitor reacted to: a message of theirs, as the channel called it, or the delivery of one to them. */
export type ReactedTo = { received: string } | { delivered: string }

/** What a channel tells of a visitor that is no message of theirs. */
export interface ToldAside {
  what: 'unsupported' | 'number_changed' | 'identity_changed' | LeftOut
  /** in the channel's words; absent: it does not say */
  kind?: string
}

const MOST_REACTION = 64
const MOST_KIND = 40

const byVisitor = ({ projectId }: VisitorPlace, correlation: string, at: Date): EventContext => ({
  projectId,
  by: { actor: 'visitor' },
  correlation,
  at,
})

/**
 * Notes by which emoji a visitor has reacted to a message; null takes it back. It answers nothing. The inbox shows it
 * at the message. @returns the conversation; null if there is no such message in one of theirs
 */
export async function noteReaction(
  own: ProjectDb,
  place: VisitorPlace,
  to: ReactedTo,
  emoji: string | null,
  at: Date,
): Promise<string | null> {
  const reaction = cleanText(emoji ?? '').slice(0, MOST_REACTION) || null
  return own.transaction().execute(async (work) => {
    const row = await work
      .selectFrom('messages')
      .innerJoin('conversations', (join) =>
        join
          .onRef('conversations.id', '=', 'messages.conversation_id')
          .onRef('conversations.project_id', '=', 'messages.project_id'),
      )
      .leftJoin('deliveries', (join) =>
        join
          .onRef('deliveries.conversation_id', '=', 'messages.conversation_id')
          .onRef('deliveries.seq', '=', 'messages.seq'),
      )
      .select(['conversations.id', 'conversations.gid', 'messages.seq', 'messages.reaction'])
      .where('conversations.project_id', '=', place.projectId)
      .where('conversations.chatbot_id', '=', place.chatbotId)
      .where('conversations.channel', '=', place.channel)
      .where('conversations.address', '=', place.address)
      .where((eb) =>
        'received' in to
          ? eb.and([
              eb('messages.author', '=', 2),
              // files stand in a message of their own
              eb('messages.client_id', 'in', [to.received, `${to.received}-files`]),
            ])
          : eb('deliveries.key', '=', to.delivered),
      )
      .orderBy('messages.seq')
      .limit(1)
      .forUpdate('messages')
      .executeTakeFirst()
    if (!row) return null
    if (row.reaction === reaction) return row.id
    await work
      .updateTable('messages')
      .set({ reaction })
      .where('conversation_id', '=', row.id)
      .where('project_id', '=', place.projectId)
      .where('seq', '=', row.seq)
      .execute()
    const told = { conversation: row.gid, seq: row.seq, reacted: reaction !== null }
    await appendEvent(work, messageReacted, byVisitor(place, row.gid, at), told)
    return row.id
  })
}

/**
 * Notes what a channel tells of a visitor between their messages, in their last conversation: the inbox shows it as a
 * line. @param work the transaction in which the channel notes that it has told so @returns the conversation; null if
 * they have none
 */
export async function noteTold(
  work: ProjectWork,
  place: VisitorPlace,
  { what, kind }: ToldAside,
  at: Date,
): Promise<string | null> {
  const row = await work
    .selectFrom('conversations')
    .select(['id', 'gid', 'environment'])
    .where('project_id', '=', place.projectId)
    .where('chatbot_id', '=', place.chatbotId)
    .where('channel', '=', place.channel)
    .where('address', '=', place.address)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const named = cleanText(kind ?? '').slice(0, MOST_KIND)
  await appendEvent(work, conversationTold, byVisitor(place, row.gid, at), {
    ...{ conversation: row.gid, environment: row.environment, what },
    ...(named !== '' && { kind: named }),
  })
  return row.id
}
