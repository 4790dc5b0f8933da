import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ExtractedDocument, MOST_CHARACTERS } from './documentText'
import { pageRanges } from './pageRanges'
import { filledFields, MOST_FIELDS, type PdfAnnotation } from './pdfForm'
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

const XFA =
  'This PDF is a form of the older kind XFA, which only Adobe’s programs draw. Open it there, print it to a PDF, and upload that.'
/** Fields stand in their forms' order, not in the text's: they come after it. */
const BELOW = { x: 0, y: Number.NEGATIVE_INFINITY, size: 0, columns: false }

/** Beside this file, and as seen from a program of the build (`build/<name>/`), which is made where the sources are. */
const PLACES = ['cmaps/', '../../server/modules/knowledge/documents/cmaps/']

/** The folder of the character maps that Chinese, Japanese and Korean PDFs name instead of bringing their own. */
function characterMaps(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  return PLACES.map((place) => join(here, place)).find((folder) => existsSync(folder))
}

/** How foreign PDFs are opened: they run nothing, and load nothing. */
export const pdfOptions = { verbosity: 0, isEvalSupported: false, disableFontFace: true }

/** Extracts a PDF's text in this thread. */
export async function extractPdf(bytes: Uint8Array): Promise<ExtractedDocument> {
  const { getDocumentProxy } = await import('unpdf')
  const options = { ...pdfOptions, cMapUrl: characterMaps() }
  const pdf = await getDocumentProxy(bytes, options).catch((error: unknown) => ({
    failed: nameOf(error) === 'PasswordException' ? LOCKED : DAMAGED,
  }))
  if ('failed' in pdf) return pdf
  try {
    if (await isXfaAlone(pdf)) return { failed: XFA }
    const pages: PdfLine[][] = []
    let fields = MOST_FIELDS
    let characters = 0
    let broken = 0
    for (let number = 1; number <= pdf.numPages && characters < MOST_CHARACTERS; number++) {
      const page = await pdf.getPage(number).catch(() => null)
      const content = await page?.getTextContent().catch(() => null)
      if (!content) broken++
      const lines = pdfLines((content?.items ?? []).filter((item) => 'str' in item) as PdfItem[])
      const annotations = fields > 0 ? await page?.getAnnotations().catch(() => []) : []
      const filled = filledFields((annotations ?? []) as PdfAnnotation[], fields)
      fields -= filled.length
      if (filled.length > 0) lines.push({ ...BELOW, text: filled.join('\n'), markdown: filled.join('\n') })
      characters += lines.reduce((sum, { text }) => sum + text.length, 0)
      pages.push(lines)
      page?.cleanup()
    }
    return judged(pages, pdf.numPages, broken)
  } finally {
    await pdf.destroy().catch(() => undefined)
  }
}

function judged(pages: readonly PdfLine[][], total: number, broken: number): ExtractedDocument {
  const text = pages
    .flat()
    .map((line) => line.text)
    .join(' ')
  const empty = pages.flatMap((lines, at) => (lines.length === 0 ? [at + 1] : []))
  const letters = count(text, /[\p{L}\p{N}]/gu)
  if (letters === 0) {
    if (count(text, CODES) > 0) return { failed: CODED }
    return broken > 0 ? { failed: DAMAGED } : { failed: SCANNED, bare: { total, pages: empty } }
  }
  if (count(text, CODES) > letters) return { failed: CODED }
  const read = { markdown: pdfMarkdown(pages), pages: total, note: noteOf(total, empty, broken) }
  return broken > 0 || empty.length === 0 ? read : { ...read, bare: { total, pages: empty } }
}

function noteOf(total: number, empty: readonly number[], broken: number): string | null {
  if (broken > 0) return `${broken} of ${total} pages are damaged and were left out. Save the PDF anew and upload that.`
  if (empty.length < 2 || empty.length / total < FEW_EMPTY) return null
  return `${empty.length} of ${total} pages have no text (${pageRanges(empty)}): they are blank or pictures. Run text recognition (OCR) on it to have those, too.`
}

/** Forms of this kind draw their pages by themselves: the PDF has one page, which tells people to open it elsewhere. */
async function isXfaAlone(pdf: { getMetadata(): Promise<{ info: object }>; numPages: number }): Promise<boolean> {
  const metadata = await pdf.getMetadata().catch(() => null)
  const { IsXFAPresent, IsAcroFormPresent } = (metadata?.info ?? {}) as Record<string, unknown>
  return IsXFAPresent === true && IsAcroFormPresent !== true
}

/** Characters without a standard meaning. */
const CODES = /[\p{Co}\p{Cc}\ufffd]/gu
const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')
