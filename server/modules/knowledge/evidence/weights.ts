/**
 * The weight of each sign of a passage (signs.ts), the first belongs to none: a logistic regression over the
 * passages found for a
 * question, learnt by `node tests/bench/retrieval/train.mjs evidence`.
 */
export const WEIGHTS: readonly number[] = [
  -6.74, -0.01, -0.5, 1.74, 0.12, 1.06, 1.51, 1.13, 0.52, 1.51, 1.89, -1.5, 1.73, -0.56, 1.24, 0.58, 0.61, -0.17, 1.57,
  -1.54, -1.03, 0.86, 0.73, 0.33, 0.81, -0.18, 0.39, 0.45, -0.28, -0.62, 1, 3.15, 2, 1.1, -1.72, 0.26, 3.27, -0.65,
  0.98, 0.99, -0.08, -1.45, 1.23, -0.13, -0.4, -1.76, 0.58, 0.04, 4.33, 1.78, 0.47, 0.68, 0.56, 0.22, 0.31, 0.33, 0.23,
  0.06, 0.18, -0.31, -0.22, 0.57, 0.76, 0.72,
]
