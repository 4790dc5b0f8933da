import type { Extracted, Found, Passage } from '../knowledge'
import { asWritten, plain } from './plain'
import { type Candidate, candidatesOf } from './signs'
import { WEIGHTS } from './weights'

const MOST = 3
/** Sections that are offered together, and their characters. */
const MOST_OFFERED = 3
const OFFERED = 900
/** Minimal probability of a further sentence, absolute and relative to the best one. */
const LEAST_CHANCE = 0.12
const LEAST_SHARE = 0.4

/**
 * What answers a question, with the numbers of its passages: the first passage's quote, and under "this may help" the
 * next ones' too; of a long passage up to three sentences. Null if nothing was found, or nothing answers.
 * @param number of the first passage that is named; the others follow
 */
export function extract({ passages, zone }: Found, question: string, number = 1): Extracted | null {
  const [first] = passages
  if (zone === 'unknown' || !first) return null
  if (first.quote) {
    const said = zone === 'unsure' ? offered(passages) : [first.quote]
    return { text: said.map((quote, at) => `${quote} [${number + at}]`).join('\n\n'), cites: said.map((_, at) => at) }
  }
  if (first.source.kind === 'faq') return { text: `${asWritten(first.text)} [${number}]`, cites: [0] }
  const [best, ...others] = rank(passages, question)
  if (!best) return null
  const least = Math.max(LEAST_CHANCE, best.chance * LEAST_SHARE)
  return cite([best, ...others.slice(0, MOST - 1).filter(({ chance }) => chance >= least)], number)
}

/** The quotes of the first passages, as many as are short together; the first one whatever its length. */
function offered(passages: readonly Passage[]): string[] {
  const quotes: string[] = []
  let length = 0
  for (const { quote } of passages.slice(0, MOST_OFFERED)) {
    length += quote?.length ?? Number.POSITIVE_INFINITY
    if (!quote || (quotes.length > 0 && length > OFFERED)) break
    quotes.push(quote)
  }
  return quotes
}

/** The sentences of passages, likeliest answer first; their probabilities add up to 1. */
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

/** Passages in the order of their best sentences; sentences of one in their original order. */
function cite(chosen: readonly Candidate[], number: number): Extracted {
  const cites = [...new Set(chosen.map(({ passage }) => passage))]
  const parts = cites.map((passage, at) => {
    const own = chosen.filter((one) => one.passage === passage).sort((a, b) => a.sentence.start - b.sentence.start)
    return `${own.map(({ sentence }) => plain(sentence.text)).join(' ')} [${number + at}]`
  })
  return { text: parts.join(' '), cites }
}
