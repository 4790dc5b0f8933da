import type { Extracted, Found, Passage } from '../knowledge'
import { asWritten, plain } from './plain'
import { type Candidate, candidatesOf } from './signs'
import { WEIGHTS } from './weights'

const MOST = 3
/** A further sentence is at least this likely, and this much as likely as the best one. */
const LEAST_CHANCE = 0.12
const LEAST_SHARE = 0.4

/**
 * Sentences of the passages that answer a question, at most three, each with the number of its passage. Nothing is said that does not
 * stand there; what an FAQ entry answers is said as it stands. Null where nothing was found, or nothing in it answers.
 */
export function extract({ passages, zone }: Found, question: string): Extracted | null {
  const [first] = passages
  if (zone === 'unknown' || !first) return null
  if (first.source.kind === 'faq') return { text: `${asWritten(first.text)} [1]`, cites: [0] }
  const [best, ...others] = rank(passages, question)
  if (!best) return null
  const least = Math.max(LEAST_CHANCE, best.chance * LEAST_SHARE)
  return cite([best, ...others.slice(0, MOST - 1).filter(({ chance }) => chance >= least)])
}

/** The sentences of passages, the likeliest answer first; their chances are 1 together. */
export function rank(passages: readonly Passage[], question: string): (Candidate & { chance: number })[] {
  const candidates = candidatesOf(passages, question)
  const odds = candidates.map(({ signs }) =>
    Math.exp(signs.reduce((sum, sign, at) => sum + sign * (WEIGHTS[at] as number), 0)),
  )
  const all = odds.reduce((sum, value) => sum + value, 0)
  return candidates
    .map((candidate, at) => ({ ...candidate, chance: (odds[at] as number) / all }))
    .sort((a, b) => b.chance - a.chance)
}

/** Passages in the order of their best sentences, sentences of one as they follow each other there. */
function cite(chosen: readonly Candidate[]): Extracted {
  const cites = [...new Set(chosen.map(({ passage }) => passage))]
  const parts = cites.map((passage, at) => {
    const own = chosen.filter((one) => one.passage === passage).sort((a, b) => a.sentence.start - b.sentence.start)
    return `${own.map(({ sentence }) => plain(sentence.text)).join(' ')} [${at + 1}]`
  })
  return { text: parts.join(' '), cites }
}
