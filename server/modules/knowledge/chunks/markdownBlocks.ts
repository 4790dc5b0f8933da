import { withoutEnd } from '../../../../engine/values/withoutEnd'

/** A block of a Markdown text. */
export type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  /** with its fences */
  | { type: 'code'; lines: string[] }
  /** the first two lines are the header */
  | { type: 'table'; lines: string[] }
  /** one entry per item, including what is indented below it */
  | { type: 'list'; items: string[] }
  /** the following text is on that page of a document */
  | { type: 'page'; page: number }

const HEADING = /^ {0,3}(#{1,6})[ \t]+/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ITEM = /^ {0,3}(?:[-*+•]|\d{1,9}[.)])[ \t]+\S/
/** For a line without trailing whitespace. */
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*(?:[ \t]*\|)?$/
const PAGE = /^<!-- page (\d{1,6}) -->$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/

/** Marks the start of a document's page in its Markdown; invisible to readers. */
export const pageMark = (page: number): string => `<!-- page ${page} -->`

/**
 * Parses a Markdown text into blocks, line by line and leniently: whatever is no list, table or code is a paragraph.
 */
export function markdownBlocks(markdown: string): Block[] {
  const lines = markdown.split(/\r\n|\r|\n/)
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const rest = { lines, at }
    const read = readMark(line) ?? readCode(rest) ?? readTable(rest) ?? readList(rest) ?? readParagraph(rest)
    if (read.block) blocks.push(read.block)
    at += read.took
  }
  return blocks
}

interface Rest {
  lines: readonly string[]
  at: number
}
interface Read {
  block: Block | null
  took: number
}

function readMark(line: string): Read | null {
  if (line.trim() === '') return { block: null, took: 1 }
  const page = PAGE.exec(line.trim())?.[1]
  if (page) return { block: { type: 'page', page: Number(page) }, took: 1 }
  const [begin, marks] = HEADING.exec(line) ?? []
  const text = begin && withoutEnd(withoutEnd(line.slice(begin.length), ' \t'), '#')
  return marks && text
    ? { block: { type: 'heading', level: marks.length, text: withoutEnd(text, ' \t') }, took: 1 }
    : null
}

function readCode({ lines, at }: Rest): Read | null {
  const fence = FENCE.exec(lines[at] ?? '')?.[1]
  if (!fence) return null
  let end = at + 1
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(fence)) end++
  return { block: { type: 'code', lines: lines.slice(at, end + 1) }, took: end + 1 - at }
}

function readTable({ lines, at }: Rest): Read | null {
  const rule = lines[at + 1] ?? ''
  if (!isRow(lines[at]) || !rule.includes('-') || !TABLE_RULE.test(withoutEnd(rule, ' \t'))) return null
  let end = at + 2
  while (end < lines.length && isRow(lines[end])) end++
  return { block: { type: 'table', lines: lines.slice(at, end) }, took: end - at }
}
const isRow = (line: string | undefined): boolean => line?.includes('|') ?? false

function readList({ lines, at }: Rest): Read | null {
  if (!ITEM.test(lines[at] ?? '')) return null
  const items: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (ITEM.test(line)) items.push(line)
    // a blank line ends the list unless an item or an indented line follows
    else if (line.trim() === '') {
      const next = lines[end + 1] ?? ''
      if (!ITEM.test(next) && !/^[ \t]{2,}\S/.test(next)) break
    } else if (/^[ \t]/.test(line) || !startsAnother(line)) items.push(`${items.pop()}\n${line}`)
    else break
  }
  return { block: { type: 'list', items }, took: end - at }
}

function readParagraph({ lines, at }: Rest): Read {
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const level = UNDERLINE.exec(line)?.[1]
    if (level && end === at + 1) {
      const text = (lines[at] ?? '').trim()
      return { block: { type: 'heading', level: level.startsWith('=') ? 1 : 2, text }, took: 2 }
    }
    if (line.trim() === '' || startsAnother(line) || readTable({ lines, at: end })) break
  }
  const text = lines.slice(at, end).join('\n').trim()
  return { block: { type: 'paragraph', text }, took: end - at }
}

const startsAnother = (line: string): boolean =>
  HEADING.test(line) || FENCE.test(line) || ITEM.test(line) || PAGE.test(line.trim())
