import { pageMark } from '../chunks/markdownBlocks'
import type { PdfLine } from './pdfLines'
import { pdfMarkdown } from './pdfMarkdown'

const [BEFORE, AFTER] = pageMark(0).split('0') as [string, string]
const SECTION = new RegExp(`^(?=${BEFORE}\\d+${AFTER}$)`, 'm')

/**
 * Puts texts that were recognised under their pages' marks.
 * @param markdown of the PDF's other pages, in order
 * @param texts by the page's number, from 1; at least one
 */
export function withScans(markdown: string, texts: ReadonlyMap<number, string>): string {
  const lines = Array.from({ length: Math.max(...texts.keys()) }, (_, at) => linesOf(texts.get(at + 1) ?? ''))
  const sections = [pdfMarkdown(lines), markdown].flatMap((text) => text.split(SECTION))
  return sections
    .map((section) => section.trim())
    .filter((section) => section !== '')
    .map((section) => ({ section, page: Number.parseInt(section.slice(BEFORE.length), 10) || 0 }))
    .sort((one, other) => one.page - other.page)
    .map(({ section }) => section)
    .join('\n\n')
}

/** A text's lines as if they stood below each other on a page; an empty line is a gap between paragraphs. */
const linesOf = (text: string): PdfLine[] =>
  text.split(/\r?\n|\f/).flatMap((line, at) => {
    const said = line.replaceAll('\0', '').trim()
    return said === '' ? [] : [{ text: said, x: 0, y: -at * 10, size: 10, columns: false }]
  })
