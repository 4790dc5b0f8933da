import type { UnreadPage } from './reasons'

export interface PageQuery {
  /** `PageRead.etag` of the last time: an unchanged page is not returned again */
  etag?: string | null
  signal?: AbortSignal
  /** the project's id */
  owner?: string
}

/** A page's content. */
export interface Page {
  ok: true
  /** after redirects, or its canonical address on the same site; for citations and identity */
  url: string
  /** the address read, after redirects; it may exist when the canonical one does not */
  address: string
  title: string
  /** its main content */
  markdown: string
  /** ISO 639-1, if declared */
  language: string | null
  /** an opaque mark of this state, to be passed the next time */
  etag: string | null
  /** absolute links without duplicates */
  links: string[]
  /** whether it asks not to be indexed: crawls skip it */
  noindex: boolean
  /** equal for pages with the same text, regardless of whitespace and links */
  fingerprint: string
  /** hashes of its blocks, to be compared with those of the site's other pages */
  blocks: number[]
  /** why content is missing, for the person who gave the address */
  note: string | null
}
/** The address is a PDF: the caller extracts it. */
export interface LinkedPdf {
  ok: true
  url: string
  pdf: Uint8Array
  fingerprint: string
  etag: string | null
}
/** Unchanged since the given mark. */
export interface UnchangedPage {
  ok: true
  unchanged: true
}
/** Told apart by their keys: `'pdf' in read`, `'unchanged' in read`. */
export type PageRead = Page | LinkedPdf | UnchangedPage | UnreadPage
