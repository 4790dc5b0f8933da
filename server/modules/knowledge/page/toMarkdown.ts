import { fencedCode, inlineCode } from './codeText'
import { end, MarkdownWriter } from './markdownWriter'
import { TableRows } from './tableRows'
import { findAll, type TreeElement, type TreeVisitor, visit } from './tree'

/** Characters of Markdown; what comes after them is left out. */
const MOST_CHARACTERS = 6_000_000
/** Levels of lists and of quotes that are told apart; what is deeper is at the last one. */
const DEEPEST = 6
/** A link with more words, or a longer address, is text: nobody wrote that one on purpose. */
const MOST_LINKED = 1_000
const MOST_ADDRESS = 2_000

const MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries({ strong: '**', b: '**', em: '_', i: '_', del: '~~', s: '~~', strike: '~~' }),
)
const BLOCKS = new Set(
  'address article aside body caption center dd details div dl dd dt fieldset figcaption figure footer form header hgroup hr legend li main nav option p section summary table tbody td tfoot th thead tr'.split(
    ' ',
  ),
)
const LISTS = new Set(['ul', 'ol', 'menu', 'dir'])
const LEFT_OUT = new Set(['noscript', 'input', 'area', 'col', 'wbr'])
const HEADING = /^h[1-6]$/
const ADDRESS = /^(?:https?|mailto|tel):/i

/**
 * Converts an element to Markdown with headings, lists, tables, code and links, without pictures, in time by its size.
 */
export function toMarkdown(element: TreeElement): string {
  const conversion = new Conversion(layoutTables(element))
  visit(element, conversion)
  return conversion.markdown()
}

/** Tables that place parts of a page: those that say so, and those with a table in them. */
function layoutTables(root: TreeElement): ReadonlySet<TreeElement> {
  const layout = new Set<TreeElement>()
  for (const table of findAll(root, ({ tag }) => tag === 'table')) {
    if (table.get('role') === 'presentation') layout.add(table)
    const around = table.parent?.closest(TABLES)
    if (around) layout.add(around)
  }
  return layout
}
const TABLES = new Set(['table'])

type End = () => void
const nothing: End = () => {}

class Conversion implements TreeVisitor {
  readonly #page = new MarkdownWriter(MOST_CHARACTERS)
  readonly #cell = new MarkdownWriter(MOST_CHARACTERS, false)
  #writer = this.#page
  #table: TableRows | null = null
  /** parts around that have no lines: headings, links, cells */
  #flat = 0
  #lists: { isOrdered: boolean; next: number }[] = []
  #items = 0
  #quotes = 0

  constructor(private readonly layout: ReadonlySet<TreeElement>) {}

  markdown(): string {
    return this.#page.take()
  }

  text(text: string): void {
    this.#writer.text(text)
  }

  open(element: TreeElement): End | null {
    const { tag } = element
    const mark = MARKS.get(tag)
    if (LEFT_OUT.has(tag)) return null
    if (mark !== undefined) return this.#marked(mark)
    if (tag === 'a') return this.#link(element)
    if (tag === 'code' || (tag === 'pre' && this.#flat > 0)) return this.#inlineCode(element)
    if (this.#table && this.#flat === 0 && CELLS.has(tag)) return this.#tableCell(element, this.#table)
    return this.#flat > 0 ? this.#inLine(tag) : this.#block(element)
  }

  #block(element: TreeElement): End | null {
    const { tag } = element
    if (tag === 'br') this.#writer.break()
    else if (tag === 'hr') this.#alone('---')
    else if (tag === 'pre') return this.#code(element)
    else if (HEADING.test(tag)) return this.#heading(Number(tag[1]))
    else if (LISTS.has(tag)) return this.#list(element)
    else if (tag === 'li') return this.#item()
    else if (tag === 'dt') return this.#term()
    else if (tag === 'dd') return this.#description()
    else if (tag === 'blockquote') return this.#quote()
    else if (tag === 'table' && !this.layout.has(element)) return this.#dataTable()
    else if (tag === 'tr' && this.#table) this.#table.row()
    else if (BLOCKS.has(tag)) return this.#paragraph()
    return nothing
  }

  /** In a heading, a link or a cell the words of two blocks are apart, and no more. */
  #inLine(tag: string): End {
    if (tag !== 'br' && !BLOCKS.has(tag) && !LISTS.has(tag) && !HEADING.test(tag)) return nothing
    this.#writer.space()
    return () => this.#writer.space()
  }

  #marked(sign: string): End {
    const writer = this.#writer
    return writer.mark(sign) ? () => writer.unmark() : nothing
  }

  #link(element: TreeElement): End {
    const href = element.get('href').trim()
    const writer = this.#writer
    if (element.length > MOST_LINKED || href.length > MOST_ADDRESS || !ADDRESS.test(href)) return nothing
    if (!writer.mark('[', `](${href.replace(/[\s()]/g, (sign) => ENCODED[sign] ?? '%20')})`)) return nothing
    this.#flat++
    return () => {
      this.#flat--
      writer.unmark()
    }
  }

  #inlineCode(element: TreeElement): null {
    const code = inlineCode(element)
    if (code !== '') this.#writer.raw(code)
    return null
  }

  #code(element: TreeElement): null {
    const code = fencedCode(element)
    if (code !== '') this.#alone(code)
    return null
  }

  /** Writes a block of Markdown. */
  #alone(markdown: string): void {
    this.#writer.end(end.block)
    this.#writer.raw(markdown)
    this.#writer.end(end.block)
  }

  /** Blocks of a list's item are lines of it. */
  #endBlock = (): void => this.#writer.end(this.#items > 0 ? end.hard : end.block)

  #paragraph(): End {
    this.#endBlock()
    return this.#endBlock
  }

  #heading(level: number): End {
    this.#endBlock()
    const unmark = this.#items > 0 ? this.#marked('**') : nothing
    if (this.#items === 0) this.#writer.lead(`${'#'.repeat(level)} `)
    this.#flat++
    return () => {
      this.#flat--
      unmark()
      if (this.#items === 0) this.#writer.withoutLead()
      this.#endBlock()
    }
  }

  #list(element: TreeElement): End {
    const endList = () => this.#writer.end(this.#items > 0 ? end.line : end.block)
    endList()
    const start = Number(element.get('start').slice(0, 9))
    this.#lists.push({ isOrdered: element.tag === 'ol', next: Number.isInteger(start) && start > 0 ? start : 1 })
    return () => {
      this.#lists.pop()
      endList()
    }
  }

  #item(): End {
    const list = this.#lists.at(-1)
    const writer = this.#writer
    writer.end(end.line)
    writer.lead(list?.isOrdered ? `${list.next++}. ` : '* ')
    const isIndented = this.#items < DEEPEST
    if (isIndented) writer.indent('  ')
    this.#items++
    return () => {
      this.#items--
      writer.withoutLead()
      writer.end(end.line)
      if (isIndented) writer.outdent()
    }
  }

  /** A term and what is said of it are one paragraph. */
  #term(): End {
    this.#endBlock()
    return () => this.#writer.end(end.hard)
  }

  #description(): End {
    this.#writer.end(end.hard)
    this.#writer.hold()
    return () => this.#writer.end(end.hard)
  }

  #quote(): End {
    this.#endBlock()
    const isIndented = this.#quotes < DEEPEST
    if (isIndented) this.#writer.indent('> ')
    this.#quotes++
    return () => {
      this.#quotes--
      if (isIndented) this.#writer.outdent()
      this.#endBlock()
    }
  }

  #dataTable(): End {
    const table = new TableRows(MOST_CHARACTERS)
    const around = this.#table
    this.#table = table
    return () => {
      this.#table = around
      const markdown = table.markdown()
      if (markdown !== '') this.#alone(markdown)
    }
  }

  #tableCell(element: TreeElement, table: TableRows): End {
    this.#writer = this.#cell
    this.#flat++
    return () => {
      this.#flat--
      const text = this.#cell.take()
      this.#writer = this.#page
      if (element.tag !== 'caption') table.cell(element, text)
      else if (text !== '') this.#alone(`**${text.replaceAll('**', '')}**`)
    }
  }
}

const CELLS = new Set(['td', 'th', 'caption'])
const ENCODED: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' }
