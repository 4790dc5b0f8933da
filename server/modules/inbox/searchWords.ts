import { type RawBuilder, sql } from 'kysely'

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
export function pairsOf(word: string): string[] {
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
export const withoutBeginning = (projectId: string, search: string): string =>
  [`parley${projectId}project`, ...termsOf(search).slice(0, -1).flat()].join(' & ')

/**
 * Condition: the characters of the words are in a message. Asked before the words are, whose analysis of a message
 * takes twenty times as long; only of words that are analysed as they stand.
 */
export const hasCharacters = (search: string, lowered = sql`lower(words)`) =>
  containsAll(
    wordsOf(search).filter((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word)),
    lowered,
  )

/** Condition: characters are in a message, each of some runs of letters and digits. */
export const containsAll = (runs: readonly string[], lowered: RawBuilder<unknown>) =>
  sql.join([sql`true`, ...runs.map((run) => sql`${lowered} like lower(${`%${run}%`})`)], sql` and `)

/** The runs of letters and digits of a word, of which its index entries are made. */
export const runsOf = (word: string): string[] => word.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** The indexed words of a message, with the project as one of them. */
export const indexed = sql`to_tsvector('simple', 'parley' || project_id::text || 'project ' || searched_words(words))`
export const hasWords = (query: string, search: string) =>
  sql`case when ${hasCharacters(search, sql`lowered`)} then ${indexed} @@ to_tsquery('simple', ${query}) else false end`
