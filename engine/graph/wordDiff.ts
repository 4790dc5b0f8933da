import { diffArrays } from 'diff'

/** A run of text that stands in both, or in one of two texts alone. */
export interface TextPart {
  text: string
  change: 'same' | 'added' | 'removed'
}

/** Texts that are further apart are not compared to the end: what differs is then shown as a whole. */
const MOST_EDITS = 500

/**
 * How one text became another, word by word.
 * @returns parts in reading order: those that are not `added` make the first text, those that are not `removed` the second
 */
export const wordDiff = (before: string, after: string): TextPart[] =>
  itemDiff(wordsOf(before), wordsOf(after)).map(({ items, change }) => ({ text: items.join(''), change }))

/**
 * How one list of texts became another: runs of items in both, or in one of them alone. Of what is replaced, the old comes first.
 * Takes time in proportion to the items, up to five hundred times that where much differs.
 */
export function itemDiff(
  before: readonly string[],
  after: readonly string[],
): { items: readonly string[]; change: TextPart['change'] }[] {
  const [start, end] = sharedEnds(before, after)
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const middle = diffArrays(old, fresh, { maxEditLength: MOST_EDITS }) ?? [
    { value: old, added: false, removed: true },
    { value: fresh, added: true, removed: false },
  ]
  const parts: { items: string[]; change: TextPart['change'] }[] = []
  for (const { value: items, added, removed } of [
    { value: before.slice(0, start), added: false, removed: false },
    ...middle,
    { value: before.slice(before.length - end), added: false, removed: false },
  ]) {
    const change = added ? 'added' : removed ? 'removed' : 'same'
    const last = parts.at(-1)
    if (last?.change === change) last.items = last.items.concat(items)
    else if (items.length > 0) parts.push({ items, change })
  }
  return parts
}

/** How many items both lists begin with, and end with after those: long texts often differ in a few words. */
function sharedEnds(a: readonly string[], b: readonly string[]): [start: number, end: number] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return [start, end]
}

/** Words, runs of space, and everything else sign by sign: scripts without spaces are compared by their characters. */
const wordsOf = (text: string): string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^\s]/gu,
  ) ?? []
