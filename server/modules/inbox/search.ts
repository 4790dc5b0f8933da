import { sql } from 'kysely'
import type { RootDb } from '../../platform/database/database'

/** The newest message of a conversation that has the words. */
export interface FoundMessage {
  conversation_id: string
  seq: number
  author: 1 | 2
  sender_id: string | null
  created_at: Date
  words: string | null
}

/** The newest messages with the words that are looked at; of each conversation one is shown. */
const MOST_FOUND = 500
const MOST_SHOWN = 100
/**
 * Messages that are looked at before the index is: a word that is in one of four hundred is found there, and by the
 * index only after all messages that have it were read.
 */
const NEWEST = 20_000
const ENOUGH = 50
/** Words of a search that count. */
const MOST_WORDS = 10

/** The words of a search, each with a letter or a digit. */
export const wordsOf = (search: string): string[] =>
  search
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MOST_WORDS)

/** The search in PostgreSQL's notation: all words of a project's messages, the last one as a beginning; null: none. */
export function searchQuery(projectId: string, search: string): string | null {
  const words = wordsOf(search)
  if (words.length === 0) return null
  const quoted = words.map((word) => `'${word.replace(/['\\]/g, ' ')}'`)
  return [`parley${projectId}project`, ...quoted].join(' & ').concat(':*')
}

/**
 * Condition: the characters of the words are in a message. Asked before the words are, whose analysis of a message
 * takes twenty times as long; only of words that are analysed as they stand.
 */
function hasCharacters(search: string) {
  const plain = wordsOf(search).filter((word) => /^[\p{L}\p{N}]+$/u.test(word))
  return sql.join([sql`true`, ...plain.map((word) => sql`words ilike ${`%${word}%`}`)], sql` and `)
}

/** The newest messages of a project that have the words, among those that are newest of all. */
export const newestStatement = (projectId: string, query: string, search: string) => sql<FoundMessage>`
  select conversation_id, seq, author, sender_id, created_at, left(words, 200) as words from (
    select * from messages where project_id = ${projectId} order by created_at desc limit ${NEWEST}) newest
    where case when ${hasCharacters(search)}
      then to_tsvector('simple', 'parley' || project_id::text || 'project ' || coalesce(words, ''))
        @@ to_tsquery('simple', ${query}) else false end
    limit ${MOST_FOUND}`

/** The same among all of them, by the index of words. */
export const searchStatement = (projectId: string, query: string) => sql<FoundMessage>`
  with hit as materialized (
    select conversation_id, seq, author, sender_id, created_at, left(words, 200) as words from messages
      where project_id = ${projectId}
        and to_tsvector('simple', 'parley' || project_id::text || 'project ' || coalesce(words, ''))
          @@ to_tsquery('simple', ${query}))
  select * from hit order by created_at desc limit ${MOST_FOUND}`

/**
 * The newest messages of a project with all words of a search, one a conversation, the newest first. With the handle
 * of all projects: row-level security wants its condition before any other, and so no index of words; the statement
 * names its project twice, once for the index.
 */
export async function searchMessages(db: RootDb, projectId: string, search: string): Promise<FoundMessage[]> {
  const query = searchQuery(projectId, search)
  if (query === null) return []
  const newest = firstOfEach((await newestStatement(projectId, query, search).execute(db)).rows)
  if (newest.length >= ENOUGH) return newest.slice(0, MOST_SHOWN)
  return firstOfEach((await searchStatement(projectId, query).execute(db)).rows).slice(0, MOST_SHOWN)
}

/** The first message of each conversation, in their order. */
const firstOfEach = (rows: readonly FoundMessage[]): FoundMessage[] =>
  [...new Map(rows.toReversed().map((row) => [row.conversation_id, row])).values()].sort(
    (a, b) => b.created_at.getTime() - a.created_at.getTime(),
  )
