import type { Recognised } from './classifier'
import type { IntentExamples } from './trainIntents'

/** What an embedding model makes of a text: a vector of any length. */
export type Embedding = ArrayLike<number>

/** The phrases of intents as an embedding model sees them, and how alike phrases are that mean the same or do not. */
export interface Likeness {
  phrases: { blockId: string; vector: Float32Array }[]
  /** what strangers reach, and what a phrase reaches beside the other phrases of its intent: 0 and 1 of the confidence */
  low: number
  high: number
}

/** the share of strangers that stay below `low` */
const STRANGERS_BELOW = 0.95

/**
 * Measures how alike the phrases are: models differ in what "alike" is, so the scale is taken from the phrases themselves and from
 * phrases about other things.
 * @param embedded the phrases of `intents`, one after the other, then those about other things
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
 * Joins what a text's words say with what its embedding says: an intent that either is sure of is recognised, and two half-sure voices
 * add up.
 * @param words the classifier's own answer, nothing left out
 * @param minConfidence below this an intent is not recognised
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

/** The value below which that share of the values lies. */
function at(values: number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
