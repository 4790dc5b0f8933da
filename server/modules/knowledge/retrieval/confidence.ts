import type { Hits } from './lexicalIndex'

/** Where a chatbot's "I don't know" begins. */
export interface Threshold {
  /** below it nothing was found */
  unsure: number
  /** from here on it is answered */
  sure: number
}

/** Weights of a logistic regression, trained by tests/bench/retrieval/train.mjs: the first belongs to none of the signs. */
const WEIGHTS = [-5.84, -1.53, -1.71, 3.35, 0.66, -3.16, 2.91, 19.18, -2.93]

/** Right for most chatbots: some eight and two in a hundred questions about other things reach them. */
export const UNCALIBRATED: Threshold = { unsure: -1, sure: 2 }
/** Of the questions that calibrate a chatbot this share reaches as far with it ... */
const SHARE = 0.1
/** ... as this with most, which the training prints. */
const USUAL = -1.91
/** They are few, and not what the chatbot will be asked: some of what they say is chance. */
const TRUST = 0.7
/** Also where no unrelated question finds a word, or where a chatbot is about so much that they fit. */
const FARTHEST = 3
/** Chunks at which questions about other things have found half of what they ever find. */
const HALFWAY = 20

/** What speaks for an answer being among the hits, and against it. */
export function signsOf({ hits, full, whole, chunks, words, pieces }: Hits): number[] {
  const size = chunks / (chunks + HALFWAY)
  const [first, ...others] = hits
  if (!first || full === 0) return [0, 0, 0, 1, 1, 0, 0, size]
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
    size,
  ]
}

/** How much speaks for it, in one number: 0 is even, however many chunks there are. */
export const evidenceOf = (hits: Hits): number =>
  signsOf(hits).reduce((sum, sign, at) => sum + sign * (WEIGHTS[at + 1] as number), WEIGHTS[0] as number)

/** @param unrelated the evidence of questions that a chatbot's chunks don't answer; none: what most chatbots have */
export function thresholdOf(unrelated: readonly number[]): Threshold {
  const reached = reachOf(unrelated) ?? USUAL
  const shift = Math.min(Math.max(TRUST * (reached - USUAL), -FARTHEST), FARTHEST)
  return { unsure: UNCALIBRATED.unsure + shift, sure: UNCALIBRATED.sure + shift }
}

/** What the questions that calibrate reach; none without any. */
export const reachOf = (unrelated: readonly number[]): number | undefined =>
  [...unrelated].sort((a, b) => b - a)[Math.floor(unrelated.length * SHARE)]
