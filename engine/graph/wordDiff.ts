import { diffArrays } from 'diff'

/** A run of text that is in both texts, or in only one. */
export interface TextPart {
  text: string
  change: 'same' | 'added' | 'removed'
}

/** The most edits that are computed; texts that differ more are shown as replaced as a whole. */
const MOST_EDITS = 500

/**
 * The difference of two texts, word by word.
 * @returns parts in reading order: those that are not `added` form the first text, those that are not `removed` the
 *   second
 */
export const wordDiff = (before: string, after: string): TextPart[] =>
  itemDiff(splitWords(before), splitWords(after)).map(({ items, change }) => ({ text: items.join(''), change }))

/**
 * The difference of two lists of texts: runs of items in both, or in only one. Of a replacement, the old run comes
 * first. Linear time, up to five hundred times more if much differs.
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

/** The number of common items at the start and at the end: long texts often differ in a few words. */
function sharedEnds(a: readonly string[], b: readonly string[]): [start: number, end: number] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return [start, end]
}

/** Words, whitespace, and all else character by character: scripts without spaces are compared by character. */
const splitWords = (text: string): string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^\s]/gu,
  ) ?? []
