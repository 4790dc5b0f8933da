import { type RawBuilder, sql } from 'kysely'
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
 * Messages that are looked at before the index is: words that are in one of four hundred are found there, and by the
 * index only after all messages that have them were read. Whether they are in so many, the first of these windows says.
 */
const NEWEST = [4_000, 20_000] as const
const ENOUGH = 50
const SELDOM = 400
/** Messages that the index collects in the time in which one is read and compared. */
const READ_PER_COLLECTED = 20
/** Words of a search that count. */
const MOST_WORDS = 10

/** Pairs of characters of a search that the index is asked for: the rest is compared with what it finds. */
const MOST_PAIRS = 20

/** Characters of languages that are written without spaces, as in the function `searched_words` of the database. */
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const unspacedRuns = new RegExp(`[${UNSPACED}]+`, 'gu')

/** The words of a search, each with a letter or a digit. */
export const wordsOf = (search: string): string[] =>
  search
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MOST_WORDS)

/** The pairs of characters of a word in such a language; of one alone, it as a beginning. Empty: another language. */
function pairsOf(word: string): string[] {
  return (word.match(unspacedRuns) ?? []).flatMap((run) => {
    const characters = [...run]
    if (characters.length === 1) return [`'${run}':*`]
    return characters.slice(1).map((character, at) => `'${characters[at]}${character}'`)
  })
}

const quoted = (word: string) => `'${word.replace(/['\\]/g, ' ')}'`

/** The search in PostgreSQL's notation: all words of a project's messages, the last one as a beginning; null: none. */
export function searchQuery(projectId: string, search: string): string | null {
  const terms = termsOf(search)
  return terms.length === 0 ? null : [`parley${projectId}project`, ...terms.flat()].join(' & ')
}

/** What the index is asked for, by word. */
function termsOf(search: string): string[][] {
  const words = wordsOf(search)
  return words.map((word, at) => {
    const pairs = pairsOf(word)
    if (pairs.length > 0) return pairs.slice(0, MOST_PAIRS)
    return [at === words.length - 1 ? `${quoted(word)}:*` : quoted(word)]
  })
}

/** The same without its last word: what the others find is to be compared with the whole search. */
const withoutBeginning = (projectId: string, search: string): string =>
  [`parley${projectId}project`, ...termsOf(search).slice(0, -1).flat()].join(' & ')

/**
 * Condition: the characters of the words are in a message. Asked before the words are, whose analysis of a message
 * takes twenty times as long; only of words that are analysed as they stand.
 */
const hasCharacters = (search: string, lowered = sql`lower(words)`) => containsAll(wordsOf(search), lowered)

function containsAll(words: readonly string[], lowered: RawBuilder<unknown>) {
  const plain = words.filter((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word))
  return sql.join([sql`true`, ...plain.map((word) => sql`${lowered} like lower(${`%${word}%`})`)], sql` and `)
}

/** The indexed words of a message, with the project as one of them. */
const indexed = sql`to_tsvector('simple', 'parley' || project_id::text || 'project ' || searched_words(words))`
const hasWords = (query: string, search: string) =>
  sql`case when ${hasCharacters(search, sql`lowered`)} then ${indexed} @@ to_tsquery('simple', ${query}) else false end`

/** The newest messages of a project that have the words, among those that are newest of all. */
export const newestStatement = (
  projectId: string,
  query: string,
  search: string,
  most: number = NEWEST[0],
) => sql<FoundMessage>`
  select conversation_id, seq, author, sender_id, created_at, left(words, 200) as words from (
    select *, lower(words) as lowered from messages
      where project_id = ${projectId} order by created_at desc limit ${most}) newest
    where ${hasWords(query, search)}
    limit ${MOST_FOUND}`

/**
 * The same among all of them, by the index of words. What it finds by pairs, or without the last word, is compared with
 * the search.
 * @param asksAll whether the index is asked for the last word too
 */
export function searchStatement(projectId: string, query: string, search: string, asksAll = true) {
  const isOfPairs = wordsOf(search).some((word) => pairsOf(word).length > 0)
  const exact = isOfPairs ? hasCharacters(search) : sql`true`
  const asked = asksAll ? query : withoutBeginning(projectId, search)
  return sql<FoundMessage>`
    with hit as materialized (
      select conversation_id, seq, author, sender_id, created_at, left(words, 200) as words,
        ${asksAll ? sql`true` : hasWords(query, search)} as is_hit
      from (select *, ${asksAll ? sql`null` : sql`lower(words)`} as lowered from messages
        where project_id = ${projectId} and ${indexed} @@ to_tsquery('simple', ${asked}) and ${exact}) as messages)
    select conversation_id, seq, author, sender_id, created_at, words from hit where is_hit
    order by created_at desc limit ${MOST_FOUND}`
}

/**
 * Whether the index is asked for the last word too. Of a beginning that many words have it collects all their messages
 * before it compares them with those of the other words; where few messages have these, reading them costs less.
 */
async function isWorthAsking(db: RootDb, projectId: string, search: string): Promise<boolean> {
  const words = wordsOf(search)
  const last = words.at(-1)
  if (last === undefined || words.length === 1 || pairsOf(last).length > 0) return true
  const { rows } = await sql<{ begun: number; others: number }>`
    select count(*) filter (where ${containsAll([last], sql`lowered`)})::int as begun,
      count(*) filter (where ${containsAll(words.slice(0, -1), sql`lowered`)})::int as others
    from (select lower(words) as lowered from messages
      where project_id = ${projectId} order by created_at desc limit ${NEWEST[0]}) newest`.execute(db)
  const [{ begun, others } = { begun: 0, others: 0 }] = rows
  return begun < READ_PER_COLLECTED * Math.max(others, 1)
}

/**
 * The newest messages of a project with all words of a search, one a conversation, the newest first. With the handle
 * of all projects: row-level security wants its condition before any other, and so no index of words; the statement
 * names its project twice, once for the index.
 */
export async function searchMessages(db: RootDb, projectId: string, search: string): Promise<FoundMessage[]> {
  const query = searchQuery(projectId, search)
  if (query === null) return []
  for (const most of NEWEST) {
    const { rows } = await newestStatement(projectId, query, search, most).execute(db)
    const newest = firstOfEach(rows)
    if (newest.length >= ENOUGH) return newest.slice(0, MOST_SHOWN)
    if (rows.length < most / SELDOM) break
  }
  const asksAll = await isWorthAsking(db, projectId, search)
  return firstOfEach((await searchStatement(projectId, query, search, asksAll).execute(db)).rows).slice(0, MOST_SHOWN)
}

/** The first message of each conversation, in their order. */
const firstOfEach = (rows: readonly FoundMessage[]): FoundMessage[] =>
  [...new Map(rows.toReversed().map((row) => [row.conversation_id, row])).values()].sort(
    (a, b) => b.created_at.getTime() - a.created_at.getTime(),
  )
