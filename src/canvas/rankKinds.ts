import { fold } from '../ui/finder/match'
import type { KindTexts } from './context'

/**
 * The kinds that a search means, the likeliest first: by the beginning of the name, then a word of it, any part of it, a keyword, and at
 * last what the help says. Equal ones stay in their order; an empty search means all.
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

/** How likely a search means a kind, 1 the likeliest and 0 not at all; `search` as `fold` leaves it. */
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
