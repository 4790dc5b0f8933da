import { listMarkers, MAX_LIST_LEVEL } from '../../../engine/values/richTextLists'
import type { ParagraphElement, TextLeaf } from '../model'
import { readInlines, writeInlines } from './inlines'

/** A paragraph, a heading or a list item in the editor's form. */
export type MarkdownBlock = Omit<ParagraphElement, 'children'> & { children: TextLeaf[] }

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/
/** optional closing hashes */
const CLOSING = /(?<![ \t])[ \t]+#+$/
const ITEM = /^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+(.*)$/
/** a table row: our editors can't create one, and must not break one */
const ROW = /^\s*\|/

/**
 * Parses Markdown into blocks: headings (levels below the third become the third), lists, paragraphs; anything else
 * stays text.
 */
export function readMarkdown(markdown: string): MarkdownBlock[] {
  const blocks: (Omit<MarkdownBlock, 'children'> & { lines: string[] })[] = []
  /** the indentations of the enclosing items */
  let indents: number[] = []
  let open = false
  for (const line of markdown.replace(/\r\n?/g, '\n').split('\n')) {
    const last = blocks.at(-1)
    const goesOn = open && last !== undefined
    const heading = HEADING.exec(line)
    const item = ITEM.exec(line)
    if (line.trim() === '') open = false
    else if (goesOn && isBroken(last.lines.at(-1) ?? '')) last.lines.push(line.trimStart())
    else if (heading) {
      blocks.push({
        type: 'paragraph',
        heading: Math.min(3, heading[1]?.length ?? 1) as 1 | 2 | 3,
        lines: [(heading[2] ?? '').trimEnd().replace(CLOSING, '')],
      })
      indents = []
      open = false
    } else if (item) {
      const indent = (item[1] ?? '').replaceAll('\t', '    ').length
      indents = [...indents.filter((around) => around < indent), indent]
      const level = Math.min(indents.length - 1, MAX_LIST_LEVEL)
      const list = item[2] ? 'bullet' : 'number'
      blocks.push({ type: 'paragraph', list, ...(level > 0 && { level }), lines: [item[4] ?? ''] })
      open = true
    } else if (goesOn && !ROW.test(line) && !ROW.test(last.lines[0] ?? '')) last.lines.push(line.trim())
    else {
      if (!/^\s/.test(line)) indents = []
      blocks.push({ type: 'paragraph', lines: [ROW.test(line) ? line.trim() : line.trimStart()] })
      open = true
    }
  }
  return blocks.map(({ lines, ...block }) => ({ ...block, children: readInlines(joined(lines)) }))
}

/** An unescaped backslash, or two spaces. */
const isBroken = (line: string) => /(?:(?<!\\)(?:\\\\)*\\|(?<! ) {2,})$/.test(line)

/** Joins a paragraph's lines: with a line break if requested, otherwise a space. */
function joined(lines: readonly string[]): string {
  return lines
    .map((line, at) => {
      if (at === lines.length - 1) return line.trimEnd()
      return isBroken(line) ? `${line.replace(/(?:\\|(?<! ) +)$/, '')}\n` : `${line.trimEnd()} `
    })
    .join('')
}

/** Writes blocks as Markdown. Empty ones are omitted; characters are escaped only where necessary. */
export function writeMarkdown(blocks: readonly MarkdownBlock[]): string {
  const kept = blocks.filter(({ children }) => children.some(({ text }) => text.trim() !== ''))
  const markers = listMarkers(kept)
  /** the indentation columns of each level */
  let columns: number[] = [0]
  return kept
    .map((block, at) => {
      const marker = block.list === 'number' ? `${markers[at]} ` : '- '
      if (!block.list) columns = [0]
      const level = block.list ? Math.min(block.level ?? 0, columns.length - 1) : 0
      const indent = ' '.repeat(columns[level] ?? 0)
      if (block.list) columns = [...columns.slice(0, level + 1), (columns[level] ?? 0) + marker.length]
      const start = block.list ? indent + marker : block.heading ? `${'#'.repeat(block.heading)} ` : ''
      return separator(kept[at - 1], block) + start + content(block, indent.length + marker.length)
    })
    .join('')
}

function separator(before: MarkdownBlock | undefined, block: MarkdownBlock): string {
  if (!before) return ''
  const isRow = ({ children, list, heading }: MarkdownBlock) => !list && !heading && ROW.test(children[0]?.text ?? '')
  return (before.list && block.list) || (isRow(before) && isRow(block)) ? '\n' : '\n\n'
}

function content({ children, list, heading }: MarkdownBlock, column: number): string {
  const text = writeInlines(children).trim()
  if (heading) return text.replace(/(?<!\s)\s*\n\s*/g, ' ').replace(/(?<=[ \t])#+$/, '\\$&')
  const broken = text.replace(/(?<![ \t])[ \t]*\n\s*/g, `\\\n${list ? ' '.repeat(column) : ''}`)
  return list
    ? broken
    : broken.replace(/^(#{1,6}|[-*+])(?=[ \t]|$)/, '\\$1').replace(/^(\d{1,9})([.)])(?=[ \t])/, '$1\\$2')
}
