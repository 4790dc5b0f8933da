import { tokenize } from './features'

/** What a word means, as a direction: words of like meaning point nearly the same way. */
export interface WordMeaning {
  /** the direction's numbers; as many for each word */
  codes: ArrayLike<number>
  /** the length of these as an arrow */
  length: number
  /** how much the word tells in a text, 0 to 1 */
  telling: number
}

/** Looks up a lower-case word; null: it has no meaning of its own. The same word always gives the same one. */
export type FindMeaning = (word: string) => WordMeaning | null

/**
 * How much of a word's telling counts. Small words tell apart what people want ("how do I", "did you"), so that they
 * count nearly as much as others.
 */
const TELLING = 0.25

/** The direction of a text as an arrow of length 1: the sum of its words'. Null: none of them has one. */
export function meaningOf(text: string, find: FindMeaning): Float32Array | null {
  let sum: Float32Array | null = null
  for (const word of tokenize(text)) {
    const meaning = find(word)
    if (!meaning) continue
    const { codes, length, telling } = meaning
    sum ??= new Float32Array(codes.length)
    const weight = telling ** TELLING / length
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + weight * (codes[at] as number)
  }
  if (!sum) return null
  const size = Math.sqrt(sum.reduce((square, value) => square + value * value, 0))
  return size > 0 ? sum.map((value) => value / size) : null
}
