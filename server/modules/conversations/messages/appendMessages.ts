import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import type { InputRequest } from '../../../../engine/flow/effects'
import { searchedText } from '../../../../engine/run/recordingWords'
import type { Work } from '../../../platform/database/database'
import { SqlText, Statement } from '../../../platform/database/statement'
import { type Actor, eventRow, type NewEvent } from '../../../platform/events/defineEvent'
import { insertJob } from '../../../platform/jobs/insertJob'
import { deliverMessages, owedFor } from '../channels/outbox'
import { about, messageCreated, turnContext } from '../events'
import type { ConversationsTable } from '../tables'
import type { Appendable, NewMessage, Stored } from './message'

/** Other columns of the conversation's row to update with it. */
type Beside = Pick<
  Updateable<ConversationsTable>,
  'status' | 'last_client_id' | 'team_unread' | 'assignee_id' | 'merged_into'
>

/**
 * Appends messages to a conversation and counts them as unread for the other side. All modules append messages through
 * this function. One statement, together with their event; notify `updates` after the commit.
 * @param work a transaction that has locked the conversation's row
 * @param request the question asked with the last message: a channel with an outbox sends it along
 * @param events further events of the conversation
 * @param commits whether this ends the transaction: no statement may follow
 * @throws unique_violation of `messages_client` when a message with the client's id exists
 */
export const appendMessages = async (
  work: Work,
  conversation: Appendable,
  messages: readonly NewMessage[],
  at: Date,
  beside?: Appending,
): Promise<Stored[]> => (await appendAt(new Statement(), work, conversation, messages, at, beside)).stored

/** The options of `appendMessages`. */
export type Appending = Beside & { request?: InputRequest | null; events?: readonly NewEvent[]; commits?: boolean }

/**
 * Likewise, as the end of a statement that the caller has begun.
 * @param isGuarded whether it has a part `guard`, without whose row the conversation is not written
 * @returns the messages, and the version (xmin) that the conversation's row has with them; '' if there is no such row
 * any more
 */
export async function appendAt(
  statement: Statement,
  work: Work,
  conversation: Appendable,
  messages: readonly NewMessage[],
  at: Date,
  {
    request = null,
    events = [],
    commits = false,
    isGuarded = false,
    ...beside
  }: Appending & { isGuarded?: boolean } = {},
): Promise<{ stored: Stored[]; version: string }> {
  const stored = messages.map((message, index) => rowOf(message, conversation.last_seq + 1 + index, at))
  const own = stored.filter(({ author }) => author === 2).length
  const { id, project_id } = conversation
  const [first, ...others] = stored.map((row) => ({
    ...row,
    content: JSON.stringify(row.content),
    words: searchedText(row.content),
    conversation_id: id,
    project_id,
  }))
  if (first) statement.with('said', statement.insert('messages', [first, ...others]))
  const owed = owedFor(conversation, stored, request, randomUUID)
  if (owed) {
    statement.withQuery('owed', work.insertInto('deliveries').values(owed.rows))
    statement.withQuery('sending', insertJob(work, deliverMessages, owed.job, at))
  }
  const [event, ...further] = [...eventsOf(conversation, stored, at), ...events]
  if (event) statement.with('told', statement.insert('events', [event, ...further]))
  const update = statement.update('conversations', {
    last_seq: conversation.last_seq + stored.length,
    ...(own > 0 && { team_unread: new SqlText(`team_unread + ${own}`) }),
    ...(own < stored.length && { visitor_unread: new SqlText(`visitor_unread + ${stored.length - own}`) }),
    ...(own > 0 && { snoozed_until: null }),
    ...waitingAfter(statement, stored, beside.status, at),
    updated_at: at,
    ...beside,
  })
  const which = isGuarded ? '(select id from guard)' : statement.value(id)
  const [row] = await statement.execute<{ version: string }>(
    work,
    `${update} where id = ${which} and project_id = ${statement.value(project_id)} returning xmin::text as version`,
    { commits },
  )
  return { stored, version: row?.version ?? '' }
}

/** Since when the visitor waits for a person: from the hand-over, or the first message that no person has answered. */
function waitingAfter(statement: Statement, stored: readonly Stored[], status: Beside['status'], at: Date) {
  const last = stored.at(-1)
  const since = () => `coalesce(waiting_since, ${statement.value(at)})`
  if (status === 'closed' || status === 'bot' || last?.sender_id) return { waiting_since: null }
  if (status === 'waiting' || status === 'person') return { waiting_since: new SqlText(since()) }
  if (last?.author !== 2) return {}
  return { waiting_since: new SqlText(`case when status in ('waiting', 'person') then ${since()} end`) }
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
