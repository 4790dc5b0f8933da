import type { DocumentType } from '../../../contracts/sources'

/** What a document says, as Markdown. */
export interface DocumentText {
  /** a PDF's pages begin with a mark (chunks/markdownBlocks.ts) */
  markdown: string
  /** null: it has none */
  pages: number | null
  /** what of it could not be read, in a sentence */
  note: string | null
}
export type DocumentRead = DocumentText | { failed: string }
/** What a document's own text is; a PDF also tells which of its pages have none: they may be pictures of text. */
export type ExtractedDocument = DocumentRead & { bare?: BarePages }
export interface BarePages {
  /** pages of the document */
  total: number
  /** numbers from 1, in order */
  pages: readonly number[]
}

/** Characters of a document; more would be cut anyway. */
export const MOST_CHARACTERS = 6_000_000

/** A document's type by its name; null: none that is read. */
export function typeByName(name: string): DocumentType | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return ENDINGS[ending] ?? null
}

const ENDINGS: Readonly<Record<string, DocumentType>> = {
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx',
  pptx: 'pptx',
  epub: 'epub',
  html: 'html',
  htm: 'html',
  csv: 'csv',
  md: 'text',
  markdown: 'text',
  txt: 'text',
}
