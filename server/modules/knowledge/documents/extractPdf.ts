import { type DocumentRead, MOST_CHARACTERS } from './documentText'
import { type PdfItem, type PdfLine, pdfLines } from './pdfLines'
import { pdfMarkdown } from './pdfMarkdown'

/** The share of pages without text that is not worth a note: covers, blank pages, pictures. */
const FEW_EMPTY = 0.2

const DAMAGED =
  'This PDF is damaged and can’t be read. Open it, save it anew (for instance by “Print to PDF”), and upload that.'
const LOCKED = 'This PDF is protected by a password. Remove the password and upload it again.'
const SCANNED =
  'This PDF has no text: its pages are pictures, as scans are. Run text recognition (OCR) on it and upload the result.'
const CODED =
  'The letters of this PDF can’t be told from their shapes: its fonts don’t say what they stand for. Save it anew from the program that made it, or run text recognition (OCR) on it.'

/** Extracts a PDF's text in this thread. */
export async function extractPdf(bytes: Uint8Array): Promise<DocumentRead> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false, disableFontFace: true }).catch(
    (error: unknown) => ({ failed: nameOf(error) === 'PasswordException' ? LOCKED : DAMAGED }),
  )
  if ('failed' in pdf) return pdf
  try {
    const pages: PdfLine[][] = []
    let characters = 0
    let broken = 0
    for (let number = 1; number <= pdf.numPages && characters < MOST_CHARACTERS; number++) {
      const page = await pdf.getPage(number).catch(() => null)
      const content = await page?.getTextContent().catch(() => null)
      if (!content) broken++
      const lines = pdfLines((content?.items ?? []).filter((item) => 'str' in item) as PdfItem[])
      characters += lines.reduce((sum, { text }) => sum + text.length, 0)
      pages.push(lines)
      page?.cleanup()
    }
    return judged(pages, pdf.numPages, broken)
  } finally {
    await pdf.destroy().catch(() => undefined)
  }
}

function judged(pages: readonly PdfLine[][], total: number, broken: number): DocumentRead {
  const text = pages
    .flat()
    .map((line) => line.text)
    .join(' ')
  const letters = count(text, /[\p{L}\p{N}]/gu)
  if (letters === 0) {
    if (count(text, CODES) > 0) return { failed: CODED }
    return { failed: broken > 0 ? DAMAGED : SCANNED }
  }
  if (count(text, CODES) > letters) return { failed: CODED }
  const empty = pages.filter((lines) => lines.length === 0).length
  return { markdown: pdfMarkdown(pages), pages: total, note: noteOf(total, empty, broken) }
}

function noteOf(total: number, empty: number, broken: number): string | null {
  if (broken > 0) return `${broken} of ${total} pages are damaged and were left out. Save the PDF anew and upload that.`
  if (empty < 2 || empty / total < FEW_EMPTY) return null
  return `${empty} of ${total} pages have no text: they are blank or pictures. Run text recognition (OCR) on it to have those, too.`
}

/** Characters without a standard meaning. */
const CODES = /[\p{Co}\p{Cc}\ufffd]/gu
const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')
