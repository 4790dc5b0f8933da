import type { Recognised } from './classifier'
import type { IntentExamples } from './trainIntents'

/** A text's embedding: a vector of any length. */
export type Embedding = ArrayLike<number>

/** The embedded phrases of intents, and which similarities mean "same intent" and "unrelated". */
export interface Likeness {
  phrases: { blockId: string; vector: Float32Array }[]
  /** similarities that correspond to confidence 0 and 1: of unrelated phrases, and of phrases of the same intent */
  low: number
  high: number
}

/** the share of unrelated phrases below `low` */
const STRANGERS_BELOW = 0.95

/**
 * Calibrates similarities: models differ in scale, so the scale is taken from the phrases themselves and from
 * unrelated
 * phrases.
 * @param embedded the phrases of `intents`, in order, then the unrelated ones
 */
export function measureLikeness(intents: readonly IntentExamples[], embedded: readonly Embedding[]): Likeness {
  const vectors = embedded.map(unit)
  const phrases = intents
    .flatMap(({ blockId, phrases: texts }) => texts.map(() => blockId))
    .map((blockId, at) => ({ blockId, vector: vectors[at] ?? new Float32Array() }))
  const strangers = vectors
    .slice(phrases.length)
    .map((vector) => Math.max(0, ...phrases.map((own) => dot(vector, own.vector))))
  const siblings = phrases.flatMap((own) => {
    const others = phrases.filter((other) => other !== own && other.blockId === own.blockId)
    return others.length === 0 ? [] : [Math.max(...others.map((other) => dot(own.vector, other.vector)))]
  })
  const low = at(strangers, STRANGERS_BELOW) ?? 0.5
  const high = at(siblings, 0.5) ?? 1
  return { phrases, low, high: Math.max(high, low + 0.05) }
}

/**
 * Combines the classifier's confidence with the embedding's: either alone can recognise an intent, and two weak ones
 * add up.
 * @param words the classifier's answer, complete
 * @param minConfidence threshold for recognition
 */
export function joinLikeness(
  words: readonly Recognised[],
  likeness: Likeness,
  text: Embedding,
  minConfidence: number,
): Recognised[] {
  const vector = unit(text)
  const alike = new Map<string, number>()
  for (const { blockId, vector: phrase } of likeness.phrases)
    alike.set(blockId, Math.max(alike.get(blockId) ?? 0, dot(vector, phrase)))
  const spoken = new Map(words.map(({ blockId, confidence }) => [blockId, confidence]))
  return [...alike]
    .map(([blockId, reached]) => {
      const share = Math.min(1, Math.max(0, (reached - likeness.low) / (likeness.high - likeness.low)))
      return { blockId, confidence: 1 - (1 - share) * (1 - (spoken.get(blockId) ?? 0)) }
    })
    .filter(({ confidence }) => confidence >= minConfidence)
    .sort((a, b) => b.confidence - a.confidence)
}

function unit(vector: Embedding): Float32Array {
  const copy = Float32Array.from(vector)
  const length = Math.sqrt(dot(copy, copy))
  return length > 0 ? copy.map((value) => value / length) : copy
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0)
  return sum
}

/** The quantile of the values at that share. */
function at(values: number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
