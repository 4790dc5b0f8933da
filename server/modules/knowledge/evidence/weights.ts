/**
 * The weight of each sign of a passage (signs.ts), the first belongs to none: a logistic regression over the
 * passages found for a
 * question, learnt by `node tests/bench/retrieval/train.mjs evidence`.
 */
export const WEIGHTS: readonly number[] = [
  -7.64, -0.2, 0.21, 2.12, 0.86, 0.73, 1.1, 1.15, 0.94, 1.85, 1.75, -2.39, 1.01, -0.52, 1.6, 0.58, 0.02, -0.12, -1.5,
  0.14, 3.23, -0.89, 1.22, 1.1, -0.08, -1.64, 1.31, -0.14, -0.62, -2.15, 1, 0.05, 4.86, 0.9, 1.01, 0.79, 0.67, 0.22,
  0.32, 0.26, 0.32, 0.08, 0.11, -0.41, 0.1, 0.71, -0.76,
]
