import type { Hits } from './lexicalIndex'

/** Where a chatbot's "I don't know" begins: what questions about other things reach with its chunks. */
export interface Threshold {
  /** below it nothing was found */
  unsure: number
  /** from here on it is answered */
  sure: number
}

/** Weights of a logistic regression, trained by tests/bench/retrieval/train.mjs: the first belongs to none of the signs. */
const WEIGHTS = [-3.9, 4.81, 1.74, 4.4, -2.93, -4.86, 2.95]

/** Before a chatbot was calibrated: right on average, wrong for many. */
export const UNCALIBRATED: Threshold = { unsure: 0, sure: 1.8 }
/** The shares of unrelated questions that may still be taken for possible ones, and for good ones. */
const UNSURE_SHARE = 0.08
const SURE_SHARE = 0.02
/** Questions that were made up say half of where a chatbot's "I don't know" begins. */
export const MADE_UP_TRUST = 0.5
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

/** @param unrelated the evidence of questions that its chunks don't answer @param trust 0 to 1: how much they are what people ask */
export function thresholdOf(unrelated: readonly number[], trust = 1): Threshold {
  const sorted = [...unrelated].sort((a, b) => b - a)
  const at = (share: number, key: keyof Threshold): number => {
    const reached = sorted[Math.floor(sorted.length * share)] ?? UNCALIBRATED[key]
    return Math.min(Math.max(trust * reached + (1 - trust) * UNCALIBRATED[key], LEAST[key]), MOST[key])
  }
  const unsure = at(UNSURE_SHARE, 'unsure')
  return { unsure, sure: Math.max(at(SURE_SHARE, 'sure'), unsure) }
}
