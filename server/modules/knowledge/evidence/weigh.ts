import type { Found, Passage } from '../knowledge'
import { quoteOf } from './quote'
import { type Meanings, type Searched, weighPassages } from './signs'
import { WEIGHTS } from './weights'

/** A passage with what speaks for it. */
interface Judged {
  passage: Passage
  /** the logarithm of the odds that it answers */
  odds: number
}

/** Passages that are weighed. */
export const WEIGHED = 12
/** The odds from which on an answer is given, and from which on it is offered. */
const SURE = 0
const UNSURE = -1.45
/** How far the search's evidence is above its threshold where it is sure, and beyond doubt. */
const FOUND = 3
const BEYOND_DOUBT = { above: 4, odds: -1 }

/** Whether the likeliest passage is worth an answer. @param above the search's evidence above its threshold */
export function zoneOf([best]: readonly Judged[], above: number): Pick<Found, 'zone' | 'confidence'> {
  const odds = best?.odds ?? Number.NEGATIVE_INFINITY
  const isSure = odds >= SURE || (above >= BEYOND_DOUBT.above && odds >= BEYOND_DOUBT.odds)
  const isOffered = odds >= UNSURE || above >= FOUND
  const margin = odds - UNSURE
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
      odds: oddsOf(weighed.signs),
      at,
    }))
    .sort((a, b) => b.odds - a.odds || a.at - b.at)
    .map(({ passage, odds }) => ({ passage, odds }))
}

const oddsOf = (signs: readonly number[]): number =>
  signs.reduce((sum, sign, at) => sum + sign * (WEIGHTS[at + 1] as number), WEIGHTS[0] as number)
