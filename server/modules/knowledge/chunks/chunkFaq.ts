import type { Faq } from '../../../contracts/sources'
import { CHUNK, type Chunk, chunkMarkdown } from './chunkMarkdown'

/**
 * An entry is one passage, found by its question, its phrasings or its answer; a long answer becomes several, each with
 * the question.
 */
export function chunkFaq({ question, answer, phrasings }: Faq): Chunk[] {
  const heading = [question, ...phrasings].join('\n')
  const bodies = answer.length <= CHUNK ? [answer] : chunkMarkdown(answer, '').map(({ body }) => body)
  return bodies.map((body) => ({ heading, body }))
}
