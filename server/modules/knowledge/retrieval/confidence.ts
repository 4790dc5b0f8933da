import type { Hits } from './lexicalIndex'

/** A chatbot's thresholds for "I don't know". */
export interface Threshold {
  /** below it, nothing was found */
  unsure: number
  /** from here on it is answered */
  sure: number
}

/** Weights of a logistic regression, trained by tests/bench/retrieval/train.mjs: the first is the bias. */
const WEIGHTS = [-4.92, 0.07, 0.35, 6.25, 1.34, -5.6, 1.97, 12.93, -2.74, -3.72]

/** Suitable for most chatbots: unrelated questions reach them in about eight and two of a hundred cases. */
export const UNCALIBRATED: Threshold = { unsure: -1, sure: 2 }
/** This quantile of the calibrating questions' evidence ... */
const SHARE = 0.1
/** ... is usually this much, as printed by the training. */
const USUAL = -2.04
/** The weight of the measurement: the questions are few, and not real ones. */
const TRUST = 0.7
/**
 * The limit of the correction, in case no unrelated question matches a word, or a chatbot's topics are so broad that
 * they fit.
 */
const FARTHEST = 3
/** The number of chunks at which unrelated questions find half of what they ever find. */
const HALFWAY = 20

/** The features for and against the hits containing an answer. */
export function signsOf({ hits, full, whole, chunks, words, pieces, meant }: Hits): number[] {
  const size = chunks / (chunks + HALFWAY)
  const [first, ...others] = hits
  if (!first || full === 0) return [0, 0, 0, 1, 1, 0, 0, 0, size]
  const next = others.slice(0, 4)
  const mean = next.reduce((sum, { score }) => sum + score, 0) / Math.max(1, next.length)
  const margin = (first.score - mean) / first.score
  return [
    first.score / full,
    words.covered,
    pieces.covered,
    words.unknown,
    pieces.unknown,
    margin,
    first.score / whole,
    meant,
    size,
  ]
}

/** The evidence as one number: 0 is even odds, for any number of chunks. */
export const evidenceOf = (hits: Hits): number =>
  signsOf(hits).reduce((sum, sign, at) => sum + sign * (WEIGHTS[at + 1] as number), WEIGHTS[0] as number)

/** @param unrelated the evidence of questions that the chatbot's chunks don't answer; empty: the default */
export function thresholdOf(unrelated: readonly number[]): Threshold {
  const reached = reachOf(unrelated) ?? USUAL
  const shift = Math.min(Math.max(TRUST * (reached - USUAL), -FARTHEST), FARTHEST)
  return { unsure: UNCALIBRATED.unsure + shift, sure: UNCALIBRATED.sure + shift }
}

/** The quantile reached by the calibrating questions; undefined without any. */
export const reachOf = (unrelated: readonly number[]): number | undefined =>
  [...unrelated].sort((a, b) => b - a)[Math.floor(unrelated.length * SHARE)]
