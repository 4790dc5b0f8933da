import type { RetrievalTest } from '../../../contracts/sources'
import type { Knowledge, KnowledgePlace } from '../knowledge'

/** The search result for a question, and the built-in model's answer. */
export async function retrieve(knowledge: Knowledge, place: KnowledgePlace, question: string): Promise<RetrievalTest> {
  const before = performance.now()
  const found = await knowledge.find(place, question)
  const extracted = found.zone === 'confident' ? knowledge.extract(found, question) : null
  return {
    passages: found.passages.map(({ source, heading, text, score }) => ({ source, heading, text, score })),
    zone: found.zone,
    confidence: found.confidence,
    answer: extracted?.text ?? '',
    cites: extracted?.cites ?? [],
    took_ms: performance.now() - before,
  }
}
