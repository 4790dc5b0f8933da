import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { officeOfConversation, opennessOf } from '../../handOff/office'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Said, Transcript } from './rows'

/**
 * A conversation with its messages from a sequence number on, from the message with a client id on, or the latest ones.
 * One statement, so that the question that waits and the messages are consistent. @param now for whether people are
 * there. @throws ApiError not_found
 */
export async function readTranscript(
  db: Db,
  ref: ConversationRef,
  now: Date,
  from: number | { clientId: string } | { latest: number } = 1,
): Promise<Transcript> {
  const rows = await db
    .selectFrom('conversations')
    .innerJoin('runs', (join) =>
      join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
    )
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.conversation_id', '=', 'conversations.id')
        .onRef('messages.project_id', '=', 'conversations.project_id')
        .on(({ eb, selectFrom }) => {
          if (typeof from === 'number') return eb('messages.seq', '>=', from)
          if ('latest' in from) return eb('messages.seq', '>', eb('conversations.last_seq', '-', from.latest))
          const sent = selectFrom('messages as sent')
            .select('sent.seq')
            .where('sent.conversation_id', '=', ref.id)
            .where('sent.project_id', '=', ref.project_id)
            .where('sent.client_id', '=', from.clientId)
          return eb('messages.seq', '>=', sent)
        }),
    )
    .leftJoin('users', 'users.id', 'messages.sender_id')
    .select(['conversations.gid', 'conversations.status', 'runs.state', 'runs.session'])
    .select(['conversations.assignee_id', 'conversations.waiting_since', 'users.first_name as sender'])
    .select('users.picture')
    .select(['messages.seq', 'messages.author', 'messages.content', 'messages.block_id', 'messages.client_id'])
    .select(['messages.created_at', 'messages.helpful'])
    .where('conversations.id', '=', ref.id)
    .where('conversations.project_id', '=', ref.project_id)
    .orderBy('messages.seq')
    .execute()
  const [first] = rows
  if (!first) throw new ApiError('not_found')
  const { gid, status, state, session, assignee_id, waiting_since } = first
  const messages = rows.filter((row): row is typeof row & Said => row.seq !== null)
  const before = status === 'waiting' && waiting_since ? await countBefore(db, ref, waiting_since) : null
  const waits = waiting_since !== null && (status === 'waiting' || status === 'person')
  const away = waits ? await awayOf(db, ref, now) : null
  return {
    ...{ gid, status, state, session, assignee_id, messages },
    ...(before !== null && { before }),
    ...(away && { away }),
  }
}

/** What a visitor is told who waits for people outside of their hours; null: they are there. */
async function awayOf(db: Db, ref: ConversationRef, now: Date): Promise<Transcript['away'] | null> {
  const office = await officeOfConversation(db, ref)
  const { open, changesAt } = opennessOf(office, now)
  return open ? null : { message: office.away_message, opensAt: changesAt }
}

/** How many visitors of the project have waited longer for a person, up to `MOST_BEFORE`. */
async function countBefore(db: Db, { project_id }: ConversationRef, since: Date): Promise<number> {
  const waiting = db
    .selectFrom('conversations')
    .select('id')
    .where('project_id', '=', project_id)
    .where('status', '=', 'waiting')
    .where('environment', 'in', ['production', 'sharing'])
    .where('waiting_since', '<', since)
    .limit(MOST_BEFORE)
  const counted = await db
    .selectFrom(waiting.as('waiting'))
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(counted.count)
}
const MOST_BEFORE = 99

/** The messages before one, in their order: the nearest, and whether there are more. */
export async function readEarlier(
  db: Db,
  { id, project_id }: ConversationRef,
  { before, most }: { before: number; most: number },
): Promise<{ messages: Said[]; earlier: boolean }> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.sender_id')
    .select(['seq', 'author', 'content', 'block_id', 'client_id', 'messages.created_at', 'helpful'])
    .select(['users.first_name as sender', 'users.picture'])
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(most + 1)
    .execute()
  return { messages: rows.slice(0, most).reverse(), earlier: rows.length > most }
}
