import { MESSAGES_A_PAGE, type ThreadPage } from '../../contracts/inbox'
import type { Db } from '../../platform/database/database'
import type { ConversationRef } from '../conversations/conversations/conversationRef'
import { nameOf } from './presenter'

/** Steps shown of one turn of the bot. */
const MOST_STEPS = 50
/** Notes, and other things that happened, shown between the messages of a page. */
const MOST_BETWEEN = 200

/** A page of a conversation: its newest messages, or those before one, with what stands between them. */
export async function readThreadPage(
  db: Db,
  { id, project_id }: ConversationRef,
  before: number | undefined,
): Promise<ThreadPage> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.sender_id')
    .leftJoin('deliveries', (join) =>
      join
        .onRef('deliveries.conversation_id', '=', 'messages.conversation_id')
        .onRef('deliveries.seq', '=', 'messages.seq'),
    )
    .select(['messages.seq', 'author', 'content', 'block_id', 'client_id', 'messages.created_at', 'helpful'])
    .select(['users.gid as sender_gid', 'users.first_name', 'users.last_name'])
    .select(['deliveries.status as delivery', 'deliveries.error as reason'])
    .where('messages.conversation_id', '=', id)
    .where('messages.project_id', '=', project_id)
    .$if(before !== undefined, (messages) => messages.where('messages.seq', '<', before ?? 0))
    .orderBy('messages.seq', 'desc')
    .limit(MESSAGES_A_PAGE + 1)
    .execute()
  const shown = rows.slice(0, MESSAGES_A_PAGE).reverse()
  const earlier = rows.length > shown.length
  // what stands before the first message belongs to the first page
  const from = earlier ? (shown[0]?.seq ?? 0) : 0
  const to = before ?? 2_000_000_000
  const [notes, activity, turns, corrections] = await Promise.all([
    readNotes(db, id, from, to),
    readActivity(db, id, from, to),
    readTurns(db, id, from, to),
    readCorrections(db, id, from, to),
  ])
  return {
    messages: shown.map((row) => ({
      seq: row.seq,
      author: row.author,
      content: row.content,
      at: row.created_at.toISOString(),
      ...(row.client_id !== null && { client_id: row.client_id }),
      ...(row.helpful !== null && { helpful: row.helpful }),
      ...(row.block_id !== null && { block: row.block_id }),
      ...(row.sender_gid !== null && { sender: { gid: row.sender_gid, name: nameOf(row.first_name, row.last_name) } }),
      ...(corrections.has(row.seq) && { corrected: corrections.get(row.seq) }),
      ...(row.delivery && { delivery: { status: row.delivery, reason: row.reason } }),
    })),
    notes,
    activity,
    turns,
    earlier,
  }
}

/** Answers of the bot that sources say right by now, by the messages' numbers. */
async function readCorrections(db: Db, id: string, from: number, to: number) {
  const rows = await db
    .selectFrom('corrected_messages')
    .leftJoin('users', 'users.id', 'corrected_messages.corrected_by')
    .leftJoin('knowledge_sources', 'knowledge_sources.id', 'corrected_messages.source_id')
    .leftJoin('chatbots', 'chatbots.id', 'knowledge_sources.chatbot_id')
    .select(['corrected_messages.seq', 'users.first_name', 'users.last_name'])
    .select(['knowledge_sources.gid', 'chatbots.gid as chatbot'])
    .where('corrected_messages.conversation_id', '=', id)
    .where('corrected_messages.seq', '>=', from)
    .where('corrected_messages.seq', '<', to)
    .execute()
  return new Map(
    rows.map(({ seq, first_name, last_name, gid, chatbot }) => [
      seq,
      { by: nameOf(first_name, last_name), source: gid && chatbot ? { gid, chatbot } : null },
    ]),
  )
}

async function readNotes(db: Db, id: string, from: number, to: number): Promise<ThreadPage['notes']> {
  const rows = await db
    .selectFrom('conversation_notes')
    .leftJoin('users', 'users.id', 'conversation_notes.author_id')
    .select(['conversation_notes.gid', 'author_name', 'body', 'after_seq', 'conversation_notes.created_at'])
    .select(['first_name', 'last_name'])
    .where('conversation_id', '=', id)
    .where('after_seq', '>=', from)
    .where('after_seq', '<', to)
    .orderBy('conversation_notes.id', 'desc')
    .limit(MOST_BETWEEN)
    .execute()
  return rows.reverse().map((row) => ({
    gid: row.gid,
    by: nameOf(row.first_name, row.last_name) || row.author_name,
    body: row.body,
    after: row.after_seq,
    at: row.created_at.toISOString(),
  }))
}

async function readActivity(db: Db, id: string, from: number, to: number): Promise<ThreadPage['activity']> {
  const rows = await db
    .selectFrom('conversation_activity')
    .leftJoin('users as actor', 'actor.id', 'conversation_activity.user_id')
    .leftJoin('users as subject', 'subject.id', 'conversation_activity.subject_id')
    .select(['conversation_activity.id', 'kind', 'detail', 'after_seq', 'at'])
    .select(['actor.first_name as by_first', 'actor.last_name as by_last', 'actor.id as actor_id'])
    .select(['subject.first_name as of_first', 'subject.last_name as of_last', 'subject.id as subject_id'])
    .where('conversation_id', '=', id)
    .where('after_seq', '>=', from)
    .where('after_seq', '<', to)
    .orderBy('conversation_activity.id', 'desc')
    .limit(MOST_BETWEEN)
    .execute()
  return rows.reverse().map((row) => ({
    id: row.id,
    kind: row.kind as ThreadPage['activity'][number]['kind'],
    by: row.actor_id ? nameOf(row.by_first, row.by_last) : null,
    subject: row.subject_id ? nameOf(row.of_first, row.of_last) : null,
    detail: row.detail,
    after: row.after_seq,
    at: row.at.toISOString(),
  }))
}

/** The bot's turns between those messages, with the blocks that each went through. */
async function readTurns(db: Db, id: string, from: number, to: number): Promise<ThreadPage['turns']> {
  const rows = await db
    .selectFrom('turn_records')
    .innerJoin('runs', 'runs.id', 'turn_records.run_id')
    .select(['runs.number', 'turn_records.turn', 'turn_records.last_seq', 'turn_records.took', 'turn_records.trace'])
    .where('runs.conversation_id', '=', id)
    .where('turn_records.last_seq', '>=', from)
    .where('turn_records.last_seq', '<', to)
    .orderBy('runs.number', 'desc')
    .orderBy('turn_records.turn', 'desc')
    .limit(MESSAGES_A_PAGE)
    .execute()
  return rows.reverse().map((row) => ({
    run: row.number,
    turn: row.turn,
    last: row.last_seq ?? 0,
    took: row.took,
    steps: row.trace.slice(0, MOST_STEPS).map(({ blockId, kind, port }) => ({ block: blockId, kind, port })),
  }))
}
