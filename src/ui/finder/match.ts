import fuzzysort from 'fuzzysort'

/** Characters of a text from the first to before the last. */
export type Range = readonly [from: number, to: number]

export interface NameMatch<Item> {
  item: Item
  /** 1 is the very name, 0.5 a good match */
  score: number
  ranges: readonly Range[]
}

/** Names that match a search as one types it, also in part, out of order or with a slip; best first. */
export function matchNames<Item>(
  items: readonly Item[],
  search: string,
  name: (item: Item) => string,
  limit: number,
): NameMatch<Item>[] {
  return fuzzysort
    .go(search, items, { key: name, limit, threshold: 0.25 })
    .map((found) => ({ item: found.obj, score: found.score, ranges: rangesOf(found.indexes) }))
}

/** The words of a search, as `fold` leaves them. */
export const wordsOf = (search: string): string[] => fold(search).split(/\s+/).filter(Boolean)

/**
 * How well a long text matches: each word has to occur in it as it is, since letters strewn over a long text match
 * anything. Gives 0 for no match, 0.95 where the words stand together at the beginning, less elsewhere.
 *
 * @param text folded
 */
export function scoreText(text: string, words: readonly string[]): number {
  if (!words.every((word) => text.includes(word))) return 0
  const at = text.indexOf(words.join(' '))
  if (at === 0) return 0.95
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 0.7 : 0.85
  return 0.6
}

/** A line of a text with the words in it, cut so that the first of them can be seen. */
export function excerpt(text: string, words: readonly string[]): { line: string; ranges: Range[] } {
  const whole = text.replace(/\s+/g, ' ').trim()
  const all = foldEach(whole)
  const first = Math.min(...words.map((word) => all.indexOf(word)).filter((at) => at >= 0))
  const from = Number.isFinite(first) && first > LEAD ? first - LEAD / 2 : 0
  const line = `${from > 0 ? '…' : ''}${whole.slice(from, from + LINE)}`
  const folded = foldEach(line)
  return { line, ranges: merged(words.flatMap((word) => occurrences(folded, word))) }
}

/** characters before the first match that still leave it in sight */
const LEAD = 36
const LINE = 160

/** In small letters, without accents. */
export const fold = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The same, character by character: places in it are places in the text. */
const foldEach = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : Array.from({ length: text.length }, (_, i) => fold(text[i] ?? '')[0] ?? ' ').join('')

/** what has no accents to take off, as nearly all that is searched */
const PLAIN = /^[\n -~·–—‘’“”]*$/

function occurrences(text: string, word: string): Range[] {
  const found: Range[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    found.push([at, at + word.length])
  return found
}

function merged(ranges: Range[]): Range[] {
  const out: [number, number][] = []
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}

const rangesOf = (indexes: readonly number[]): Range[] =>
  merged([...indexes].sort((a, b) => a - b).map((at): Range => [at, at + 1]))
