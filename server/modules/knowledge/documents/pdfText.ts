export interface PdfText {
  /** pages begin with a mark (chunks/markdownBlocks.ts) */
  markdown: string
  pages: number
  /** what of it could not be read, in a sentence */
  note: string | null
}

/** Reads a PDF's text, or says in a sentence why not and what helps. Throws the signal's reason alone. */
export type ReadPdf = (bytes: Uint8Array, signal: AbortSignal, owner?: string) => Promise<PdfText | { failed: string }>
