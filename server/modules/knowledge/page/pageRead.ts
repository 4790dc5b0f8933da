import type { UnreadPage } from './reasons'

export interface PageQuery {
  /** `PageRead.etag` of the last time: what has not changed since is not given again */
  etag?: string | null
  signal?: AbortSignal
  /** for whom: the project's id */
  owner?: string
}

/** What a page says. */
export interface Page {
  ok: true
  /** after redirects, and the address that it calls its own on the same site; what to cite and to know it by */
  url: string
  /** where it was read, after redirects: it may lie there while what it calls its own does not */
  address: string
  title: string
  /** its main content */
  markdown: string
  /** ISO 639-1, where the page says it */
  language: string | null
  /** the server's mark of this state, to be given with the next question; opaque */
  etag: string | null
  /** where it leads to: absolute addresses, each once */
  links: string[]
  /** it asks to be in no index of a search: crawls leave it out */
  noindex: boolean
  /** the same for pages that say the same, whatever their spaces and links are */
  fingerprint: string
  /** why there is less than the page holds, for the person who gave the address */
  note: string | null
}
/** The address holds a PDF: whoever asked reads it. */
export interface LinkedPdf {
  ok: true
  url: string
  pdf: Uint8Array
  fingerprint: string
  etag: string | null
}
/** Nothing has changed since the mark that was given. */
export interface UnchangedPage {
  ok: true
  unchanged: true
}
/** Told apart by their keys: `'pdf' in read`, `'unchanged' in read`. */
export type PageRead = Page | LinkedPdf | UnchangedPage | UnreadPage
