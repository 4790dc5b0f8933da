/** What speaks for a class being meant, as numbers. */
export interface Signs {
  /** how much likelier it is than the likeliest other, as a logarithm */
  margin: number
  /** its score as it is, which says whether the text has much of what makes it */
  score: number
  /** how much more the phrases speak for it than for any other */
  spoken: number
  /** its nearest phrase is so much liker to the text than its phrases are to each other */
  near: number
}

/**
 * Learnt by `npm run bench -- intents` with PARLEY_LEARN=1: bots of half the domains of CLINC150, where phrases of
 * other
 * intents of the same domain are strangers. `bar` puts confidence 0.7 where 9 % of these are accepted.
 */
export const WEIGHTS: Signs & { bar: number } = { margin: 0.17, score: 0.1, spoken: 3.82, near: 5.98, bar: -1.8 }

/** The confidence that a class is meant, 0 to 1. */
export function confidenceOf(signs: Signs): number {
  const sum =
    WEIGHTS.bar +
    WEIGHTS.margin * signs.margin +
    WEIGHTS.score * signs.score +
    WEIGHTS.spoken * signs.spoken +
    WEIGHTS.near * signs.near
  return 1 / (1 + Math.exp(-sum))
}
