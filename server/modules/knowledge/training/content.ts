import type { Faq } from '../../../contracts/sources'

/** What a source says, to be trained. */
export interface Content {
  title: string
  /** Markdown; of an FAQ entry its answer */
  markdown: string
  faq: Faq | null
  /** ISO 639-1 where the source says it */
  language: string | null
  etag: string | null
  pages: number | null
  /** what it holds less than it might, in a sentence */
  note: string | null
}
