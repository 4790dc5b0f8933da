import { readRecords } from '../../../platform/csv/readRecords'
import { decodeText } from '../page/decodeText'
import { readHtml } from '../page/readHtml'
import { bookMarkdown } from './book'
import { type DocumentRead, type ExtractedDocument, MOST_CHARACTERS, typeByName } from './documentText'
import { extractPdf } from './extractPdf'
import { markdownTable } from './markdownTable'
import { sheetsMarkdown, wordMarkdown } from './office'
import { slidesMarkdown } from './slides'
import { TooMuch, unzip, type Zip } from './unzip'

export interface DocumentFile {
  bytes: Uint8Array
  /** its ending tells what a text is; what a zip is, its files tell */
  name: string
}

/** Extracts a document's text in this thread: foreign files, in a worker with limits. */
export async function extractDocument({ bytes, name }: DocumentFile): Promise<ExtractedDocument> {
  if (begins(bytes, 'PK')) return packed(bytes)
  if (begins(bytes, OLE)) return { failed: OLD }
  const type = typeByName(name)
  if (type === 'pdf' || type === null || ZIPPED.has(type)) return extractPdf(bytes)
  const text = decodeText(bytes).replaceAll('\0', '').slice(0, MOST_CHARACTERS)
  const read = { html: fromHtml, csv: fromCsv, text: fromText }[type as 'html' | 'csv' | 'text']
  return said(read(text))
}

/** The file of an older Office, or one that is protected by a password. */
const OLE = '\xd0\xcf\x11\xe0'
const OLD =
  'This is an older Office file, or one that is protected by a password. Save it without a password as DOCX, XLSX, PPTX or PDF, and upload that.'
const BROKEN = 'This file is damaged and can’t be read. Open it, save it anew, and upload that.'
const OTHER = 'This archive is no document that can be read. Upload a PDF, DOCX, XLSX, PPTX or EPUB.'
const EMPTY = 'This document has no text: pictures alone can’t be read.'
const HUGE = 'This file holds far more than its size tells. Split it, or save it anew.'
const ZIPPED: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx', 'epub'])

async function packed(bytes: Uint8Array): Promise<DocumentRead> {
  try {
    const zip = await unzip(bytes)
    const markdown = await readZipped(zip, bytes)
    return markdown === null ? { failed: OTHER } : said(markdown)
  } catch (error) {
    return { failed: error instanceof TooMuch ? HUGE : BROKEN }
  }
}

/** By the files that each kind must have. */
async function readZipped(zip: Zip, bytes: Uint8Array): Promise<string | null> {
  if (zip.names.includes('word/document.xml')) return wordMarkdown(bytes)
  if (zip.names.includes('xl/workbook.xml')) return sheetsMarkdown(zip, bytes)
  if (zip.names.includes('ppt/presentation.xml')) return slidesMarkdown(zip)
  if (zip.names.includes('META-INF/container.xml')) return bookMarkdown(zip)
  return null
}

const said = (markdown: string): DocumentRead =>
  markdown.trim() === '' ? { failed: EMPTY } : { markdown: markdown.trim(), pages: null, note: null }

/** A saved page: its main part, as of pages that are visited. */
const fromHtml = (html: string): string => readHtml(html, 'https://document.invalid/').markdown
const fromText = (text: string): string => text.replace(/\r\n?/g, '\n')
const fromCsv = (csv: string): string =>
  markdownTable(
    readRecords(csv).records.map(({ record }) => record),
    MOST_CHARACTERS,
  )

const begins = (bytes: Uint8Array, signature: string): boolean =>
  String.fromCharCode(...bytes.subarray(0, signature.length)) === signature
