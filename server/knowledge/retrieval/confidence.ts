import type { Hits } from './lexicalIndex'

/** Where a chatbot's "I don't know" begins: what questions about other things reach with its chunks. */
export interface Threshold {
  /** below it nothing was found */
  unsure: number
  /** from here on it is answered */
  sure: number
}

/** Weights of a logistic regression, trained by tests/bench/retrieval/train.ts: the first belongs to none of the signs. */
const WEIGHTS = [-4.03, 7.56, -2.37, 4.96, -2.05, -6.76, 1.53]

/** Before a chatbot was calibrated: right on average, wrong for many. */
export const UNCALIBRATED: Threshold = { unsure: 0, sure: 1.5 }
/** The shares of unrelated questions that may still be taken for possible ones, and for good ones. */
const UNSURE_SHARE = 0.08
const SURE_SHARE = 0.02
/** Also where no unrelated question finds a word. */
const LEAST: Threshold = { unsure: -2, sure: -1 }
/** Also where a chatbot is about so much that unrelated questions fit. */
const MOST: Threshold = { unsure: 3, sure: 4.5 }

/** What speaks for an answer being among the hits, and against it. */
export function signsOf({ hits, full, words, pieces }: Hits): number[] {
  const [first, ...others] = hits
  if (!first || full === 0) return [0, 0, 0, 1, 1, 0]
  const next = others.slice(0, 4)
  const mean = next.reduce((sum, { score }) => sum + score, 0) / Math.max(1, next.length)
  const margin = (first.score - mean) / first.score
  return [first.score / full, words.covered, pieces.covered, words.unknown, pieces.unknown, margin]
}

/** How much speaks for it, in one number: 0 is even. */
export const evidenceOf = (hits: Hits): number =>
  signsOf(hits).reduce((sum, sign, at) => sum + sign * (WEIGHTS[at + 1] as number), WEIGHTS[0] as number)

/** @param unrelated the evidence of questions that its chunks don't answer */
export function thresholdOf(unrelated: readonly number[]): Threshold {
  const sorted = [...unrelated].sort((a, b) => b - a)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]
  const between = (value: number | undefined, key: keyof Threshold) =>
    value === undefined ? UNCALIBRATED[key] : Math.min(Math.max(value, LEAST[key]), MOST[key])
  const unsure = between(at(UNSURE_SHARE), 'unsure')
  return { unsure, sure: Math.max(between(at(SURE_SHARE), 'sure'), unsure) }
}
