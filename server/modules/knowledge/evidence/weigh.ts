import type { Found, Passage } from '../knowledge'
import { quoteOf } from './quote'
import type { Meanings } from './saying'
import { type Searched, weighPassages } from './signs'
import { HELPS, WEIGHTS } from './weights'

/** A passage with what speaks for it. */
interface Judged {
  passage: Passage
  signs: readonly number[]
  /** the logarithm of the odds that it answers */
  odds: number
}

/** Passages that are weighed. */
export const WEIGHED = 20
/** The odds from which on an answer is given, and those from which on passages are offered. */
const SURE = 0.55
const HELPFUL = -0.35

/** Whether the likeliest passage is worth an answer. @param judged the likeliest first */
export function zoneOf(judged: readonly Judged[]): Pick<Found, 'zone' | 'confidence'> {
  const odds = judged[0]?.odds ?? Number.NEGATIVE_INFINITY
  const margin = judged.length === 0 ? Number.NEGATIVE_INFINITY : sumOf(helpSigns(judged), HELPS) - HELPFUL
  const isSure = odds >= SURE
  const isOffered = isSure || margin >= 0
  return {
    zone: isSure ? 'confident' : isOffered ? 'unsure' : 'unknown',
    confidence: 1 / (1 + Math.exp(-(isOffered ? Math.max(0, margin) : margin))),
  }
}

/** Orders passages by how likely each answers. @param passages in the order of the search by words */
export function weigh(
  passages: readonly Passage[],
  question: string,
  meanings: Meanings,
  searched: Searched,
): Judged[] {
  return weighPassages(passages, question, meanings, searched)
    .map((weighed, at) => ({
      passage: { ...(passages[at] as Passage), quote: quoteOf(weighed) },
      signs: weighed.signs,
      odds: sumOf(weighed.signs, WEIGHTS),
      at,
    }))
    .sort((a, b) => b.odds - a.odds || a.at - b.at)
    .map(({ passage, signs, odds }) => ({ passage, signs, odds }))
}

/** Odds beside the best ones that stand for a passage that is not there. */
const FAR = 5

/**
 * What tells whether the likeliest passages of a question are worth showing: how likely they are, one beside the
 * other, and the signs of the first. @param judged the likeliest first, one at least
 */
export function helpSigns(judged: readonly Pick<Judged, 'odds' | 'signs'>[]): number[] {
  const [first, second] = judged as [Judged, ...Judged[]]
  const best = judged.slice(0, 3)
  return [
    first.odds,
    second?.odds ?? first.odds - FAR,
    Math.log(judged.reduce((sum, { odds }) => sum + Math.exp(odds - first.odds), 0)),
    best.reduce((sum, { odds }) => sum + odds, 0) / best.length,
    ...first.signs,
  ]
}

/** @param weights the first belongs to no sign */
const sumOf = (signs: readonly number[], weights: readonly number[]): number =>
  signs.reduce((sum, sign, at) => sum + sign * (weights[at + 1] as number), weights[0] as number)
