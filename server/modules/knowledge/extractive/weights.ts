/**
 * The weight of each feature of a sentence (signs.ts): a logistic regression over the sentences of a question's
 * passages, trained by `node tests/bench/retrieval/train.mjs`.
 */
export const WEIGHTS: readonly number[] = [2.39, 0.88, 0.92, 4.8, 0.37, 2.43, 0.53, 1.11, 3.12, 3.18, 0.91, 0.56, 0.48]
