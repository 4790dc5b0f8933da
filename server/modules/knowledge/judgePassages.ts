import type { Meanings } from './evidence/saying'
import { WEIGHED, weigh, zoneOf } from './evidence/weigh'
import type { Found, Passage } from './knowledge'
import { loadLexicon } from './lexicon/loadLexicon'
import { loadTaughtVectors } from './meaning/loadWordVectors'
import { evidenceOf } from './retrieval/confidence'
import type { Hits, LexicalIndex } from './retrieval/lexicalIndex'
import { askedOf } from './retrieval/question'
import { mendSpelling, vocabularyOf } from './retrieval/spelling'

/** What words mean: read when it is first asked for, then kept. */
export async function loadMeanings(): Promise<Meanings> {
  const [lexicon, vectors] = await Promise.all([loadLexicon(), loadTaughtVectors()])
  return { lexicon, vectors }
}

/**
 * Searches an index by the words of a question, its spelling mended.
 * @param limit the most hits; as many as are weighed at least
 */
export function searchWords(
  index: LexicalIndex,
  typed: string,
  { lexicon, vectors }: Meanings,
  limit = WEIGHED,
): { question: string; hits: Hits } {
  const question = mendSpelling(typed, vocabularyOf(index, lexicon, vectors))
  return { question, hits: index.search(askedOf(question, lexicon), Math.max(limit, WEIGHED)) }
}

interface Judging {
  hits: Hits
  /** the evidence at which nothing was found (`thresholdOf`) */
  unsure: number
  /** the day of the week where the organisation is, Monday first; absent: it is not known */
  today?: number | null
}

/** Passages in the order of how likely they answer, and whether the likeliest is worth an answer. */
export function judgePassages(
  passages: readonly Passage[],
  question: string,
  meanings: Meanings,
  { hits, unsure, today }: Judging,
): Pick<Found, 'passages' | 'zone' | 'confidence'> {
  const weighed = weigh(passages, question, meanings, {
    ...hits,
    above: evidenceOf(hits) - unsure,
    today: today ?? null,
  })
  return { passages: weighed.map(({ passage }) => passage), ...zoneOf(weighed) }
}
