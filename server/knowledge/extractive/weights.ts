/**
 * What each sign of a sentence (signs.ts) counts: a logistic regression over the sentences of a question's passages, trained by
 * `node tests/bench/retrieval/train.mjs`.
 */
export const WEIGHTS: readonly number[] = [2.27, 0.91, 0.88, 5.29, 0.28, 2.6, 0.62, 1.16, 2.81, 2.78, 0.89, 0.58, 0.48]
