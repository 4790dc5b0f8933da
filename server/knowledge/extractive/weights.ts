/**
 * What each sign of a sentence (signs.ts) counts: a logistic regression over the sentences of a question's passages, trained by
 * `node tests/bench/retrieval/train.mjs`.
 */
export const WEIGHTS: readonly number[] = [
  1.8, 3.94, 0.6, 2.93, 1.57, 0.53, 1.74, 2.98, 0.77, 0.11, 0.14, -1.37, 0.7, 0.69,
]
