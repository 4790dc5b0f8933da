import { randomUUID } from 'node:crypto'
import { type QueryCreator, sql, type Updateable } from 'kysely'
import type { InputRequest } from '../../../../engine/flow/effects'
import { searchedText } from '../../../../engine/run/recordingWords'
import { thenCommit } from '../../../platform/database/pipeline'
import type { Database } from '../../../platform/database/tables'
import { type Actor, eventRow, insertEvents, type NewEvent } from '../../../platform/events/defineEvent'
import { insertJob } from '../../../platform/jobs/insertJob'
import { deliverMessages, owedFor } from '../channels/outbox'
import { about, messageCreated, turnContext } from '../events'
import type { ConversationsTable } from '../tables'
import type { Appendable, NewMessage, Stored } from './message'

/** Other columns of the conversation's row to update with it. */
export type Beside = Pick<
  Updateable<ConversationsTable>,
  'status' | 'last_client_id' | 'team_unread' | 'assignee_id' | 'merged_into'
>

/**
 * Appends messages to a conversation and counts them as unread for the other side. All modules append messages through
 * this function. One statement, together with their event and what else the caller has `on` started; notify `updates`
 * after the commit.
 * @param on a transaction that has locked the conversation's row, or a statement started in it by `with`
 * @param request the question asked with the last message: a channel with an outbox sends it along
 * @param events further events of the conversation
 * @param commits whether this ends the transaction: no statement may follow
 * @param ifGuarded whether `on` has a `guard`, without whose row the conversation is not written
 * @throws unique_violation of `messages_client` when a message with the client's id exists
 */
export const appendMessages = async (...given: Parameters<typeof appendAt>): Promise<Stored[]> =>
  (await appendAt(...given)).stored

/**
 * Likewise. @returns the messages, and the version (xmin) that the conversation's row has with them; '' if there is no
 * such row any more
 */
export async function appendAt(
  on: QueryCreator<Database>,
  conversation: Appendable,
  messages: readonly NewMessage[],
  at: Date,
  {
    request = null,
    events = [],
    commits = false,
    ifGuarded = false,
    ...beside
  }: Beside & {
    request?: InputRequest | null
    events?: readonly NewEvent[]
    commits?: boolean
    ifGuarded?: boolean
  } = {},
): Promise<{ stored: Stored[]; version: string }> {
  const stored = messages.map((message, index) => rowOf(message, conversation.last_seq + 1 + index, at))
  const own = stored.filter(({ author }) => author === 2).length
  const { id, project_id } = conversation
  const values = stored.map((row) => ({
    ...row,
    content: JSON.stringify(row.content),
    words: searchedText(row.content),
    conversation_id: id,
    project_id,
  }))
  const begun =
    values.length === 0 ? on : on.with('said', (db) => db.insertInto('messages').values(values).returning('seq'))
  const owed = owedFor(conversation, stored, request, randomUUID)
  const kept = owed
    ? begun
        .with('owed', (db) => db.insertInto('deliveries').values(owed.rows).returning('seq'))
        .with('sending', (db) => insertJob(db, deliverMessages, owed.job, at).returning('id'))
    : begun
  const told = [...eventsOf(conversation, stored, at), ...events]
  const update = (told.length > 0 ? kept.with('told', (db) => insertEvents(db, told)) : kept)
    .updateTable('conversations')
    .set({
      last_seq: conversation.last_seq + stored.length,
      ...(own > 0 && { team_unread: sql<number>`team_unread + ${own}` }),
      ...(own < stored.length && { visitor_unread: sql<number>`visitor_unread + ${stored.length - own}` }),
      ...(own > 0 && { snoozed_until: null }),
      ...waitingAfter(stored, beside.status, at),
      updated_at: at,
      ...beside,
    })
    .where('id', '=', ifGuarded ? sql<string>`(select id from guard)` : id)
    .where('project_id', '=', project_id)
    .returning(sql<string>`xmin::text`.as('version'))
  const row = await (commits ? update.modifyEnd(thenCommit) : update).executeTakeFirst()
  return { stored, version: row?.version ?? '' }
}

/** Since when the visitor waits for a person: from the hand-over, or the first message that no person has answered. */
function waitingAfter(stored: readonly Stored[], status: Beside['status'], at: Date) {
  const last = stored.at(-1)
  if (status === 'closed' || status === 'bot' || last?.sender_id) return { waiting_since: null }
  if (status === 'waiting' || status === 'person') return { waiting_since: sql<Date>`coalesce(waiting_since, ${at})` }
  if (last?.author !== 2) return {}
  return { waiting_since: sql<Date>`case when status in ('waiting', 'person') then coalesce(waiting_since, ${at}) end` }
}

/** One event for all of them. */
function eventsOf(conversation: Appendable, stored: readonly Stored[], at: Date): NewEvent[] {
  const [first] = stored
  const last = stored.at(-1)
  if (!first || !last) return []
  const by: Actor =
    first.author === 2
      ? { actor: 'visitor' }
      : first.sender_id === null
        ? { actor: 'bot' }
        : { actor: 'user', userId: first.sender_id }
  const context = turnContext(conversation, at, by)
  return [eventRow(messageCreated, context, { ...about(conversation), first: first.seq, last: last.seq })]
}

function rowOf(message: NewMessage, seq: number, at: Date): Stored {
  const { author, content } = message
  return {
    seq,
    author,
    content,
    block_id: author === 1 ? message.blockId : null,
    client_id: message.clientId ?? null,
    sender_id: (author === 1 && message.senderId) || null,
    own_words: author === 2 && message.ownWords,
    created_at: at,
  }
}
