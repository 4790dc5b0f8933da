import { fold } from '../ui/finder/match'
import type { KindTexts } from './context'

/**
 * The kinds that match a search, best first: by the start of the title, a word of it, any part of it, a keyword, and
 * the help text. Ties stay in order; an empty search matches all.
 */
export function rankKinds<Kind extends { kind: string }>(
  kinds: readonly Kind[],
  search: string,
  texts: KindTexts,
): Kind[] {
  const wanted = fold(search).trim().replace(/\s+/g, ' ')
  if (wanted === '') return [...kinds]
  return kinds
    .map((one) => ({ one, rank: rankOf(one.kind, wanted, texts) }))
    .filter(({ rank }) => rank < NONE)
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

/** A kind's relevance from 1 to 0 (no match); `search` must be folded. */
export const scoreKind = (kind: string, search: string, texts: KindTexts): number =>
  1 - rankOf(kind, search, texts) / NONE

const NONE = 7

/** From 0, the best, to NONE. */
function rankOf(kind: string, wanted: string, { title, help, keywords }: KindTexts): number {
  const name = fold(title(kind))
  const words = fold(keywords(kind)).split(/\s*,\s*/)
  const tests = [
    name === wanted,
    name.startsWith(wanted),
    beginsWord(name, wanted),
    name.includes(wanted),
    words.some((word) => word === wanted),
    words.some((word) => beginsWord(word, wanted)),
    beginsWord(fold(help(kind)), wanted),
  ]
  const rank = tests.indexOf(true)
  return rank < 0 ? NONE : rank
}

const beginsWord = (text: string, wanted: string): boolean =>
  ` ${text.replace(/[-/.,:;()“”]/g, ' ')}`.includes(` ${wanted}`)
