import type { SourceKind, zones } from '../../contracts/sources'

/** Whose knowledge. Where a chatbot borrows another's, that one's is meant (`knowledgeOf`). */
export interface KnowledgePlace {
  projectId: string
  chatbotId: string
}

/** A piece of a source, as it was found for a question. */
export interface Passage {
  /** of the chunk; what a citation names */
  id: string
  source: { gid: string; kind: SourceKind; title: string; url: string | null }
  /** headings above it; of an FAQ entry the question and its other phrasings, a line each */
  heading: string
  text: string
  /** 0 to 1: how well it fits, 1 best */
  score: number
}
export type Zone = (typeof zones)[number]

/** What was found for a question. */
export interface Found {
  /** the best first */
  passages: Passage[]
  zone: Zone
  /** 0 to 1: how likely the passages hold an answer */
  confidence: number
  /** of the question (ISO 639-1, or `zh-tw`), where it can be told */
  language: string | null
}

/** Sentences of passages as an answer: nothing in it that they do not say. */
export interface Extracted {
  /** the sentences with their citations, as [1] */
  text: string
  /** by citation number from 1: the passages' places in `Found.passages` */
  cites: number[]
}

/** What chatbots know. Made once for a context (`createKnowledge`). */
export interface Knowledge {
  /** The passages that fit a question, and whether they are worth an answer. @param limit 8 unless said */
  find(place: KnowledgePlace, question: string, limit?: number): Promise<Found>
  /** The built-in model: at most three sentences that answer, cited. Null when there are none worth saying. */
  extract(found: Found, question: string): Extracted | null
  /** The language of most of a chatbot's sources; null where it can't be told. */
  language(place: KnowledgePlace): Promise<string | null>
  /** Measures anew where "I don't know" begins: after a training, when its sources stand. */
  calibrate(place: KnowledgePlace): Promise<void>
}
