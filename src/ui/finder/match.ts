import fuzzysort from 'fuzzysort'

/** A range of characters, end exclusive. */
export type Range = readonly [from: number, to: number]

export interface NameMatch<Item> {
  item: Item
  /** 1 is an exact match, 0.5 a good one */
  score: number
  ranges: readonly Range[]
}

/** Names that match a search, including partial words, another order, or a typing error; best first. */
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

/** The words of a folded search. */
export const searchWords = (search: string): string[] => fold(search).split(/\s+/).filter(Boolean)

/**
 * A long text's score: every word has to occur literally, since scattered letters match any long text. 0 for no match,
 * 0.95 if the words are together at the beginning, less elsewhere.
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

/** The part of a text around the first match, with the matched ranges. */
export function excerpt(text: string, words: readonly string[]): { line: string; ranges: Range[] } {
  const whole = text.replace(/\s+/g, ' ').trim()
  const all = foldEach(whole)
  const first = Math.min(...words.map((word) => all.indexOf(word)).filter((at) => at >= 0))
  const from = Number.isFinite(first) && first > LEAD ? first - LEAD / 2 : 0
  const line = `${from > 0 ? '…' : ''}${whole.slice(from, from + LINE)}`
  const folded = foldEach(line)
  return { line, ranges: merged(words.flatMap((word) => occurrences(folded, word))) }
}

/** characters shown before the first match */
const LEAD = 36
const LINE = 160

/** In lower case, without accents. */
export const fold = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The same character by character, so that positions stay valid. */
const foldEach = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : Array.from({ length: text.length }, (_, i) => fold(text[i] ?? '')[0] ?? ' ').join('')

/** text without accents, the usual case */
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
