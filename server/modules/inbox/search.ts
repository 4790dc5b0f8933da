import { sql } from 'kysely'
import { CONVERSATIONS_A_PAGE, messagePlace } from '../../contracts/inbox'
import type { RootDb } from '../../platform/database/database'
import {
  containsAll,
  hasCharacters,
  hasWords,
  indexed,
  pairsOf,
  runsOf,
  searchQuery,
  withoutBeginning,
  wordsOf,
} from './searchWords'

/** The newest message of a conversation that has the words. */
export interface FoundMessage {
  conversation_id: string
  seq: number
  author: 1 | 2
  sender_id: string | null
  created_at: Date
  words: string | null
}

/** A message's place in the order of all: its time in millionths of a second, its conversation, its number there. */
interface Place {
  micros: string
  conversation: string
  seq: number
}
type Found = FoundMessage & Place

/** What is searched for where: `before` leads to older messages. */
export interface Search {
  projectId: string
  words: string
  before?: string | undefined
}

/** Messages with the words that are read at once; of each conversation one is shown. */
const MOST_FOUND = 240
/**
 * Messages that are looked at before the index is: words that are in one of four hundred are found there, and by the
 * index only after all messages that have them were read. Whether they are in so many, the first of these windows says.
 */
const NEWEST = [4_000, 20_000] as const
const SELDOM = 400
/** Messages that the index collects in the time in which one is read and compared. */
const READ_PER_COLLECTED = 20
/** Entries that the index may go through, and messages that it may find, for one page. */
const MOST_VISITED = 300_000
const MOST_COLLECTED = 5_000
/** Of a long conversation that has messages on an earlier page, so many of those are compared. */
const MOST_COMPARED = 500

const inOrder = sql`created_at desc, conversation_id desc, seq desc`
const columns = sql`conversation_id, seq, author, sender_id, created_at, left(words, 200) as words,
  (extract(epoch from created_at) * 1000000)::bigint::text as micros,
  (select gid from conversations where id = conversation_id) as conversation`

function parsePlace(before: string | undefined): Place | null {
  const [, micros, conversation, seq] = before?.match(messagePlace) ?? []
  return micros && conversation && seq ? { micros, conversation, seq: Number(seq) } : null
}

const timeOf = ({ micros }: Place) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
const rankOf = (projectId: string, place: Place) => sql`(${timeOf(place)},
  (select id from conversations where gid = ${place.conversation} and project_id = ${projectId}), ${place.seq}::integer)`

/** Condition: a message is older than a place. The index of times reads its first half. */
const isBefore = (projectId: string, place: Place | null) =>
  place === null
    ? sql`true`
    : sql`created_at <= ${timeOf(place)} and (created_at, conversation_id, seq) < ${rankOf(projectId, place)}`

/** The newest messages of a project before a place, as many as are looked at. */
const lookedAt = (projectId: string, before: Place | null, most: number) =>
  sql`messages where project_id = ${projectId} and ${isBefore(projectId, before)} order by ${inOrder} limit ${most}`

/**
 * The newest messages of a project that have the words, among those that are newest of all, or before a place; and the
 * last one of these, where there are so many.
 */
export const newestStatement = ({ projectId, words, before }: Search, query: string, most: number = NEWEST[0]) => sql<
  Found & { is_found: boolean; is_end: boolean }
>`
  select ${columns}, is_found, nth = ${most} as is_end from (
    select *, ${hasWords(query, words)} as is_found from (
      select *, lower(words) as lowered, row_number() over () as nth
        from (select * from ${lookedAt(projectId, parsePlace(before), most)}) as messages) as numbered) as newest
    where is_found or nth = ${most}
    limit ${MOST_FOUND}`

/**
 * The same among all of them, by the index of words. What it finds by pairs, or without the last word, is compared with
 * the search. Each row says how many messages the index has collected; where none has the words, that stands alone.
 * @param asksAll whether the index is asked for the last word too
 */
export function searchStatement({ projectId, words, before }: Search, query: string, asksAll = true) {
  const isOfPairs = wordsOf(words).some((word) => pairsOf(word).length > 0)
  const exact = isOfPairs ? hasCharacters(words) : sql`true`
  const asked = asksAll ? query : withoutBeginning(projectId, words)
  return sql<(Found | Record<keyof Found, null>) & { collected: number }>`
    with hit as materialized (
      select conversation_id, seq, author, sender_id, created_at, words,
        ${asksAll ? sql`true` : hasWords(query, words)} as is_hit
      from (select *, ${asksAll ? sql`null` : sql`lower(words)`} as lowered from messages
        where project_id = ${projectId} and ${indexed} @@ to_tsquery('simple', ${asked}) and ${exact}
          and ${isBefore(projectId, parsePlace(before))} limit ${MOST_COLLECTED + 1}) as messages)
    select found.*, collected from (select count(*)::integer as collected from hit) as of_index
      left join (select ${columns} from hit where is_hit order by ${inOrder} limit ${MOST_FOUND}) as found on true
      order by ${inOrder}`
}

/**
 * How the index is to be asked for a search; null: the words are so frequent that looking at the messages one after
 * another finds them sooner. Of a beginning that many words have the index collects all messages before it compares
 * them with those of the other words; where few messages have these, reading them costs less. How frequent each word
 * is, the newest messages say.
 */
async function planOf(db: RootDb, search: Search, looked: number): Promise<{ asksAll: boolean } | null> {
  const { projectId, words, before } = search
  const each = wordsOf(words)
  const others = each.slice(0, -1)
  const has = (some: readonly string[]) =>
    sql<number>`count(*) filter (where ${containsAll(some.flatMap(runsOf), sql`lowered`)})::integer`
  const { rows } = await sql<{ counts: number[]; others: number; all: number }>`
    select array[${sql.join(each.map((word) => has([word])))}] as counts, ${has(others)} as others,
      (select greatest(reltuples, 0) from pg_class where oid = 'messages'::regclass) as all
    from (select lower(words) as lowered from ${lookedAt(projectId, parsePlace(before), looked)}) newest`.execute(db)
  const [{ counts, others: together, all } = { counts: [], others: 0, all: 0 }] = rows
  const begun = counts.at(-1) ?? 0
  const last = each.at(-1) ?? ''
  const isBeginning = pairsOf(last).length === 0
  const asksAll = each.length === 1 || !isBeginning || begun < READ_PER_COLLECTED * Math.max(together, 1)
  const asked = asksAll ? counts : counts.slice(0, -1)
  // lists of words are gone through by the shortest; that of a beginning is made first
  const visited = Math.min(...asked) * (asked.length + 1) + (asksAll && isBeginning ? begun : 0)
  return (visited * all) / looked > MOST_VISITED ? null : { asksAll }
}

/** The first message of each conversation, in their order. */
function firstOfEach(rows: readonly Found[]): Found[] {
  const first = new Map<string, Found>()
  for (const row of rows) if (!first.has(row.conversation_id)) first.set(row.conversation_id, row)
  return [...first.values()]
}

/** Those of the messages whose conversation has no newer one with the words, which an earlier page has shown. */
async function notShown(db: RootDb, { projectId, words, before }: Search, query: string, rows: readonly Found[]) {
  const place = parsePlace(before)
  if (place === null || rows.length === 0) return rows
  const { rows: shown } = await sql<{ id: string }>`
    select found.id from unnest(${rows.map((row) => row.conversation_id)}::bigint[], ${rows.map((row) => row.seq)}::integer[])
      as found (id, seq)
    where exists (select from (select *, lower(words) as lowered from messages
        where conversation_id = found.id and project_id = ${projectId} and seq > found.seq
          and not (${isBefore(projectId, place)}) order by seq limit ${MOST_COMPARED}) newer
      where ${hasWords(query, words)})`.execute(db)
  const ids = new Set(shown.map(({ id }) => id))
  return rows.filter((row) => !ids.has(row.conversation_id))
}

const textOf = ({ micros, conversation, seq }: Place) => `${micros}.${conversation}.${seq}`

interface SearchPage {
  /** one message a conversation, the newest first */
  found: FoundMessage[]
  /** where the next page begins; null: there are no older ones */
  next: string | null
}

/**
 * A page of the newest messages of a project with all words of a search, one a conversation. A page costs a bounded
 * work, so that it may have few conversations or none, and a next one nevertheless. With the handle of all projects:
 * row-level security wants its condition before any other, and so no index of words; the statement names its project
 * twice, once for the index.
 */
export async function searchMessages(db: RootDb, search: Search): Promise<SearchPage> {
  const { projectId, words } = search
  const query = searchQuery(projectId, words)
  if (query === null) return { found: [], next: null }

  /** @param end the last message that was looked at; undefined: it is the oldest of all */
  async function pageOf(rows: readonly Found[], end?: Found): Promise<SearchPage> {
    const fresh = await notShown(db, search, query ?? '', firstOfEach(rows))
    const found = fresh.slice(0, CONVERSATIONS_A_PAGE)
    const last = fresh.length > found.length ? found.at(-1) : rows.length === MOST_FOUND ? rows.at(-1) : end
    return { found, next: last ? textOf(last) : null }
  }
  async function newest(most: number) {
    const { rows } = await newestStatement(search, query ?? '', most).execute(db)
    const hits = rows.filter(({ is_found }) => is_found)
    const page = await pageOf(
      hits,
      rows.find(({ is_end }) => is_end),
    )
    const isEnough = hits.length === MOST_FOUND || page.found.length === CONVERSATIONS_A_PAGE || page.next === null
    return { hits, page, isEnough }
  }

  const [few, many] = NEWEST
  const near = await newest(few)
  if (near.isEnough) return near.page
  const wide = near.hits.length < few / SELDOM ? null : await newest(many)
  if (wide?.isEnough) return wide.page
  const plan = await planOf(db, search, few)
  const byIndex = plan && (await searchStatement(search, query, plan.asksAll).execute(db)).rows
  if (byIndex?.every(({ collected }) => collected <= MOST_COLLECTED))
    return pageOf(byIndex.flatMap(({ collected: _, ...row }) => (row.conversation_id === null ? [] : [row])))
  return wide?.page ?? (await newest(many)).page
}
