import type { SourceKind, zones } from '../../contracts/sources'

/** Whose knowledge base. If a chatbot uses another's, it means that one's (`knowledgeOf`). */
export interface KnowledgePlace {
  projectId: string
  chatbotId: string
}

/** A piece of a source, found for a question. */
export interface Passage {
  /** of the chunk; cited by this */
  id: string
  source: { gid: string; kind: SourceKind; title: string; url: string | null }
  /** headings above it; for an FAQ entry the question and its other phrasings, one per line */
  heading: string
  text: string
  /** relevance, 0 to 1 */
  score: number
  /** what the built-in model says of it; null or absent: it is long, and its sentences compete */
  quote?: string | null
}
export type Zone = (typeof zones)[number]

/** The search result for a question. */
export interface Found {
  /** best first */
  passages: Passage[]
  zone: Zone
  /** probability that the passages contain an answer */
  confidence: number
  /** of the question (ISO 639-1, or `zh-tw`), if detected */
  language: string | null
}

/** An answer of sentences quoted from passages. */
export interface Extracted {
  /** the sentences with their citations, as [1] */
  text: string
  /** by citation number from 1: indexes in `Found.passages` */
  cites: number[]
}

/** Retrieval from chatbots' knowledge bases. Created once per context (`createKnowledge`). */
export interface Knowledge {
  /** Finds passages for a question, and whether they are worth an answer. @param limit default: 8 */
  find(place: KnowledgePlace, question: string, limit?: number): Promise<Found>
  /**
   * The built-in model: at most three sentences that answer, cited. Null if there are none.
   * @param number of the first passage that is named, default: 1
   */
  extract(found: Found, question: string, number?: number): Extracted | null
  /** The whole section or entry of a suggestion (`suggestionsOf`); null if it is gone, or may not be said. */
  section(place: KnowledgePlace, id: string): Promise<Passage | null>
  /** The language of most of a chatbot's sources; null if unknown. */
  language(place: KnowledgePlace): Promise<string | null>
  /** Measures the threshold of "I don't know" again; call it after training. */
  calibrate(place: KnowledgePlace): Promise<void>
}
