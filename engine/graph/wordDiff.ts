/** A run of text that stands in both, or in one of two texts alone. */
export interface TextPart {
  text: string
  change: 'same' | 'added' | 'removed'
}

/** More comparisons than that are not made: what differs is then shown as a whole. */
const MOST_CELLS = 250_000

/**
 * How one text became another, word by word (the longest common subsequence of words and of what stands between them).
 * @returns parts in reading order: those that are not `added` make the first text, those that are not `removed` the second
 */
export function wordDiff(before: string, after: string): TextPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const parts: TextPart[] = []
  const add = (text: string, change: TextPart['change']) => {
    const last = parts.at(-1)
    if (text === '') return
    if (last?.change === change) last.text += text
    else parts.push({ text, change })
  }
  add(a.slice(0, start).join(''), 'same')
  for (const { text, change } of middle(a.slice(start, a.length - end), b.slice(start, b.length - end))) {
    add(text, change)
  }
  add(a.slice(a.length - end).join(''), 'same')
  return parts
}

function middle(a: readonly string[], b: readonly string[]): TextPart[] {
  if (a.length * b.length > MOST_CELLS) {
    return [
      { text: a.join(''), change: 'removed' },
      { text: b.join(''), change: 'added' },
    ]
  }
  const width = b.length + 1
  /** by the rest of both: how many words they have in common */
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] as number) + 1
          : Math.max(common[(i + 1) * width + j] as number, common[i * width + j + 1] as number)
    }
  }
  const parts: TextPart[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ text: a[i] as string, change: 'same' })
      i += 1
      j += 1
    } else if (
      j >= b.length ||
      (i < a.length && (common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number))
    ) {
      parts.push({ text: a[i] as string, change: 'removed' })
      i += 1
    } else {
      parts.push({ text: b[j] as string, change: 'added' })
      j += 1
    }
  }
  return parts
}

/** Words, runs of space, and everything else sign by sign: scripts without spaces are compared by their characters. */
const wordsOf = (text: string): string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^\s]/gu,
  ) ?? []
