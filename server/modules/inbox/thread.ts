import { sql } from 'kysely'
import { MESSAGES_A_PAGE, type ThreadPage } from '../../contracts/inbox'
import { pictureAddress } from '../../contracts/pictures'
import type { Db } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { deliveryOf } from '../conversations/channels/deliveryOf'
import type { ConversationRef } from '../conversations/conversations/conversationRef'
import { type Merged, mergedInto } from './merge/mergedInto'
import { nameOf, presentPerson } from './presenter'

/** Steps shown of one turn of the bot. */
const MOST_STEPS = 50
/** Notes, and other things that happened, shown between the messages of a page. */
const MOST_BETWEEN = 200
/** Higher than any message's number. */
const END = 2_000_000_000

/** A message of a page's conversations: `conversation` is null for the one that is read itself. */
export interface Before {
  seq: number
  conversation: string | null
}

/** Where a conversation's messages and what stands between them are read: from a message on, and before another. */
interface Part {
  id: string
  /** as the page names it; absent: the conversation that is read itself */
  of?: string
  from: number
  to: number
}

/**
 * A page of a conversation: its newest messages, or those before one, with what stands between them. Those of merged
 * conversations are among them by their time, under their own numbers. @throws ApiError not_found for a `before` that
 * names no conversation of these
 */
export async function readThreadPage(db: Db, ref: ConversationRef, before: Before | undefined): Promise<ThreadPage> {
  const merged = await mergedInto(db, ref)
  const { keys, earlier } =
    merged.length === 0 ? await ownKeys(db, ref, before) : await allKeys(db, ref, merged, before)
  const gids = new Map(merged.map(({ id, gid }) => [id, gid]))
  const rows = await readMessages(db, ref, keys)
  const parts = merged.length === 0 ? [ownPart(ref, keys, earlier, before)] : partsOf(keys, merged, before)
  const [notes, activity, turns, corrections] = await Promise.all([
    ofAll(parts, (part) => readNotes(db, part)),
    ofAll(parts, (part) => readActivity(db, part)),
    ofAll(parts, (part) => readTurns(db, part)),
    Promise.all(parts.map(async (part) => [part.id, await readCorrections(db, part)] as const)),
  ])
  const corrected = new Map(corrections)
  return {
    messages: rows.map((row) => ({
      ...ofGid(gids.get(row.conversation_id)),
      seq: row.seq,
      author: row.author,
      content: row.content,
      at: row.created_at.toISOString(),
      ...(row.client_id !== null && { client_id: row.client_id }),
      ...(row.helpful !== null && { helpful: row.helpful }),
      ...(row.reaction !== null && { reaction: row.reaction }),
      ...(row.block_id !== null && { block: row.block_id }),
      ...(row.sender_gid !== null && { sender: presentPerson({ ...row, gid: row.sender_gid }) }),
      ...(corrected.get(row.conversation_id)?.has(row.seq) && {
        corrected: corrected.get(row.conversation_id)?.get(row.seq),
      }),
      ...deliveryOf(row),
    })),
    notes,
    activity,
    turns,
    earlier,
  }
}

const ofGid = (gid: string | undefined) => (gid === undefined ? {} : { of: gid })

async function ofAll<Item>(parts: readonly Part[], read: (part: Part) => Promise<Item[]>): Promise<Item[]> {
  const found = await Promise.all(
    parts.map(async (part) => (await read(part)).map((item) => ({ ...item, ...ofGid(part.of) }))),
  )
  return found.flat()
}

interface Key {
  conversation_id: string
  seq: number
}

/** The messages of a page of a conversation that nothing was merged into, the oldest first. */
async function ownKeys(db: Db, { id, project_id }: ConversationRef, before: Before | undefined) {
  if (before && before.conversation !== null) throw new ApiError('not_found')
  const found = await db
    .selectFrom('messages')
    .select(['conversation_id', 'seq'])
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .$if(before !== undefined, (messages) => messages.where('seq', '<', before?.seq ?? 0))
    .orderBy('seq', 'desc')
    .limit(MESSAGES_A_PAGE + 1)
    .execute()
  return pageOf(found)
}

/** The same of a conversation with others that were merged into it, by the messages' times. */
async function allKeys(db: Db, ref: ConversationRef, merged: readonly Merged[], before: Before | undefined) {
  const { project_id } = ref
  const of = before?.conversation ? merged.find(({ gid }) => gid === before.conversation)?.id : ref.id
  if (of === undefined) throw new ApiError('not_found')
  const ids = [ref.id, ...merged.map(({ id }) => id)]
  const earlier = before
    ? sql`and (m.created_at, m.conversation_id, m.seq) < (
        (select created_at from messages where conversation_id = ${of} and project_id = ${project_id} and seq = ${before.seq}),
        ${of}::bigint, ${before.seq}::integer)`
    : sql``
  // a page of each is enough for a page of all
  const { rows } = await sql<Key>`
    select page.conversation_id, page.seq from unnest(${ids}::bigint[]) as one (id)
      cross join lateral (select m.conversation_id, m.seq, m.created_at from messages m
        where m.conversation_id = one.id and m.project_id = ${project_id} ${earlier}
        order by m.seq desc limit ${MESSAGES_A_PAGE + 1}) page
      order by page.created_at desc, page.conversation_id desc, page.seq desc limit ${MESSAGES_A_PAGE + 1}`.execute(db)
  return pageOf(rows)
}

const pageOf = (found: readonly Key[]) => ({
  keys: found.slice(0, MESSAGES_A_PAGE).reverse(),
  earlier: found.length > MESSAGES_A_PAGE,
})

async function readMessages(db: Db, { project_id }: ConversationRef, keys: readonly Key[]) {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.sender_id')
    .leftJoin('deliveries', (join) =>
      join
        .onRef('deliveries.conversation_id', '=', 'messages.conversation_id')
        .onRef('deliveries.seq', '=', 'messages.seq'),
    )
    .select(['messages.conversation_id', 'messages.seq', 'author', 'content', 'block_id', 'client_id'])
    .select(['messages.created_at', 'helpful', 'reaction'])
    .select(['users.gid as sender_gid', 'users.first_name', 'users.last_name', 'users.picture'])
    .select(['deliveries.status as delivery', 'deliveries.error as reason', 'reached'])
    .where('messages.project_id', '=', project_id)
    .where(sql<boolean>`(messages.conversation_id, messages.seq) in (select * from unnest(
      ${keys.map(({ conversation_id }) => conversation_id)}::bigint[], ${keys.map(({ seq }) => seq)}::integer[]))`)
    .execute()
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.flatMap((key) => byKey.get(keyOf(key)) ?? [])
}

const keyOf = ({ conversation_id, seq }: Key) => `${conversation_id}.${seq}`

/** What stands before the first message belongs to the first page. */
const ownPart = (
  { id }: ConversationRef,
  keys: readonly Key[],
  earlier: boolean,
  before: Before | undefined,
): Part => ({ id, from: earlier ? (keys[0]?.seq ?? 0) : 0, to: before?.seq ?? END })

/** Of each conversation that has messages on the page: messages are numbered from one, without gaps. */
function partsOf(keys: readonly Key[], merged: readonly Merged[], before: Before | undefined): Part[] {
  return [...new Set(keys.map(({ conversation_id }) => conversation_id))].map((id) => {
    const seqs = keys.filter(({ conversation_id }) => conversation_id === id).map(({ seq }) => seq)
    const first = Math.min(...seqs)
    const last = Math.max(...seqs)
    const one = merged.find((each) => each.id === id)
    const from = first === 1 ? 0 : first
    // of the one that is read, more may have come since
    return { id, ...(one && { of: one.gid }), from, to: one || before ? last + 1 : END }
  })
}

/** Answers of the bot that sources say right by now, by the messages' numbers. */
async function readCorrections(db: Db, { id, from, to }: Part) {
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

async function readNotes(db: Db, { id, from, to }: Part): Promise<ThreadPage['notes']> {
  const rows = await db
    .selectFrom('conversation_notes')
    .leftJoin('users', 'users.id', 'conversation_notes.author_id')
    .select(['conversation_notes.gid', 'author_name', 'body', 'after_seq', 'conversation_notes.created_at'])
    .select(['first_name', 'last_name', 'picture'])
    .where('conversation_id', '=', id)
    .where('after_seq', '>=', from)
    .where('after_seq', '<', to)
    .orderBy('conversation_notes.id', 'desc')
    .limit(MOST_BETWEEN)
    .execute()
  return rows.reverse().map((row) => ({
    gid: row.gid,
    by: nameOf(row.first_name, row.last_name) || row.author_name,
    picture: pictureAddress(row.picture),
    body: row.body,
    after: row.after_seq,
    at: row.created_at.toISOString(),
  }))
}

async function readActivity(db: Db, { id, from, to }: Part): Promise<ThreadPage['activity']> {
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
async function readTurns(db: Db, { id, from, to }: Part): Promise<ThreadPage['turns']> {
  const rows = await db
    .selectFrom('turn_records')
    .innerJoin('runs', 'runs.id', 'turn_records.run_id')
    .select(['runs.number', 'turn_records.turn', 'turn_records.last_seq', 'turn_records.took', 'turn_records.trace'])
    .select('turn_records.offered')
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
    ...(row.offered && { offered: row.offered }),
    steps: row.trace.slice(0, MOST_STEPS).map(({ blockId, kind, port }) => ({ block: blockId, kind, port })),
  }))
}
