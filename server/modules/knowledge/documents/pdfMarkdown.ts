import { pageMark } from '../chunks/markdownBlocks'
import { joinLines } from './joinLines'
import type { PdfLine } from './pdfLines'
import { mostOf } from './pdfPieces'

/** Lines at each edge of a page that may be headers or footers. */
const EDGE = 2
/** The share of pages from which on a repeated line is a header or footer; left and right pages have their own. */
const REPEATED = 0.4
const FEWEST_PAGES = 3
/** A gap of this many usual line distances separates paragraphs. */
const PARAGRAPH_GAP = 1.35
const LONGEST_HEADING = 150

const BULLET = /^(?:[•◦▪‣●■]|[-*] )\s*/

/** A document's text as Markdown: page marks, headings by font size, paragraphs without line breaks. */
export function pdfMarkdown(pages: readonly (readonly PdfLine[])[]): string {
  const repeated = repeatedLines(pages)
  const own = pages.map((lines) =>
    lines.filter((line, at) => line.markdown || !(isEdge(lines, at) && repeated.has(shapeOf(line)))),
  )
  const body = bodySize(own)
  return own
    .map((lines, at) => (lines.length === 0 ? '' : `${pageMark(at + 1)}\n\n${pageText(lines, body)}`))
    .filter(Boolean)
    .join('\n\n')
}

/** Lines at the edge of most pages, ignoring numbers. */
function repeatedLines(pages: readonly (readonly PdfLine[])[]): Set<string> {
  const counts = new Map<string, number>()
  for (const lines of pages) {
    const shapes = new Set(lines.filter((_, at) => isEdge(lines, at)).map(shapeOf))
    for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1)
  }
  const most = Math.max(FEWEST_PAGES, pages.length * REPEATED)
  return new Set([...counts].filter(([, count]) => count >= most).map(([shape]) => shape))
}
const isEdge = (lines: readonly PdfLine[], at: number): boolean => at < EDGE || at >= lines.length - EDGE
/** The text without numbers, and its position. */
const shapeOf = ({ text, y }: PdfLine): string => `${Math.round(y / 4)} ${text.replace(/\p{Nd}+/gu, '#')}`

function bodySize(pages: readonly (readonly PdfLine[])[]): number {
  const lengths = new Map<number, number>()
  for (const { size, text } of pages.flat()) if (size > 0) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  return mostOf(lengths) ?? 1
}

function pageText(lines: readonly PdfLine[], body: number): string {
  const usual = usualGap(lines)
  const blocks: { level: number; lines: string[]; line: PdfLine }[] = []
  for (const [at, line] of lines.entries()) {
    const level = line.markdown ? 0 : headingLevel(line, body)
    const open = blocks.at(-1)
    const before = lines[at - 1]
    const goesOn = open && before && open.level === level && follows(before, line, usual)
    if (goesOn) open.lines.push(line.text)
    else blocks.push({ level, lines: [line.text.replace(BULLET, '- ')], line })
  }
  const texts = blocks.map(({ level, lines: own, line }) => ({
    level,
    text: line.markdown ?? textOf(level, joinLines(own)),
  }))
  return texts.map(({ text, level }, at) => between(texts[at - 1], text, level) + text).join('')
}

/** The separator: list items and table rows are not separated by blank lines. */
function between(before: { level: number; text: string } | undefined, text: string, level: number): string {
  if (!before) return ''
  const close = level === 0 && before.level === 0 && text.startsWith('- ') && before.text.startsWith('- ')
  return close ? '\n' : '\n\n'
}
const textOf = (level: number, text: string): string => (level > 0 ? `${'#'.repeat(level)} ${text}` : escaped(text))

/** Escapes text that looks like Markdown syntax. */
const escaped = (text: string): string => text.replace(/^(#{1,6}) /, '\\$1 ').replace(/^(`{3}|~{3})/, '\\$1')

function headingLevel({ size, text }: PdfLine, body: number): number {
  if (text.length > LONGEST_HEADING || !/\p{L}/u.test(text)) return 0
  const ratio = size / body
  return ratio >= 1.7 ? 1 : ratio >= 1.35 ? 2 : ratio >= 1.12 ? 3 : 0
}

function usualGap(lines: readonly PdfLine[]): number {
  const gaps = lines
    .slice(1)
    .map((line, at) => (lines[at]?.y ?? 0) - line.y)
    .filter((gap) => gap > 0)
    .sort((one, other) => one - other)
  // most lines continue a paragraph, even on a page with few lines
  return gaps[Math.floor(gaps.length / 4)] ?? 0
}

/** Whether a line continues the previous one's paragraph. */
function follows(before: PdfLine, line: PdfLine, usual: number): boolean {
  const gap = before.y - line.y
  if (gap < 0 || gap > usual * PARAGRAPH_GAP || before.columns || line.columns || BULLET.test(line.text)) return false
  return Math.abs(before.size - line.size) < 0.6
}
