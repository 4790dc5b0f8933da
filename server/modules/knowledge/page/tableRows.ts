import { markdownTable } from '../documents/markdownTable'
import type { TreeElement } from './tree'

const MOST_COLUMNS = 100
const MOST_ROWS_MERGED = 10_000
/** Longer texts of merged cells stand in the first one alone. */
const MOST_REPEATED = 200
/** Rows that name columns together: “Price” over “a day” and “a week”. */
const MOST_HEADS = 3

interface Row {
  cells: string[]
  /** whether all its cells name something */
  isHead: boolean
  /** whether its first cell names the row */
  isNamed: boolean
}

/**
 * Collects the cells of a page's table. A merged cell's text stands in each of the rows, and columns of a head, that it
 * is of.
 */
export class TableRows {
  #rows: Row[] = []
  #row: Row | null = null
  /** texts of cells that reach into the next rows, by column */
  #merged = new Map<number, { text: string; rows: number }>()
  #repeated = 0

  /** @param most characters of the table; more are left out */
  constructor(private readonly most: number) {}

  row(): void {
    this.#endRow()
    this.#row = { cells: [], isHead: true, isNamed: false }
  }

  cell(element: TreeElement, text: string): void {
    if (!this.#row) this.row()
    const row = this.#row as Row
    this.#fill(row)
    const isHead = element.tag === 'th'
    if (row.cells.length === 0) row.isNamed = isHead
    row.isHead &&= isHead
    const rows = spanOf(element, 'rowspan', MOST_ROWS_MERGED)
    const again = this.#repeat(text)
    for (
      let left = spanOf(element, 'colspan', MOST_COLUMNS), at = 0;
      left > 0 && row.cells.length < MOST_COLUMNS;
      left--, at++
    ) {
      const said = at === 0 ? text : isHead && this.#rows.length < MOST_HEADS ? again : ''
      if (rows > 1) this.#merged.set(row.cells.length, { text: said === '' ? '' : again, rows: rows - 1 })
      row.cells.push(said)
    }
  }

  /** The table as Markdown; '' for none. */
  markdown(): string {
    this.#endRow()
    const [first] = this.#rows
    if (!first) return ''
    const heads = this.#rows.slice(0, MOST_HEADS)
    const count = heads.findIndex(({ isHead }) => !isHead)
    const named = count < 0 ? heads.length : count
    const texts = this.#rows.map(({ cells }) => cells)
    // what names the first row is a row's name, not a column's
    if (named === 0) return markdownTable(texts, this.most, !first.isNamed)
    return markdownTable([joined(texts.slice(0, named)), ...texts.slice(named)], this.most)
  }

  #endRow(): void {
    if (!this.#row) return
    this.#fill(this.#row)
    if (this.#row.cells.length > 0) this.#rows.push(this.#row)
    this.#row = null
  }

  /** Writes the cells that come from the rows above. */
  #fill({ cells }: Row): void {
    for (
      let merged = this.#merged.get(cells.length);
      merged && cells.length < MOST_COLUMNS;
      merged = this.#merged.get(cells.length)
    ) {
      if (--merged.rows === 0) this.#merged.delete(cells.length)
      cells.push(this.#repeat(merged.text))
    }
  }

  /** A text that stands in the table once more; '' if that would make much of little. */
  #repeat(text: string): string {
    this.#repeated += text.length
    return text.length > MOST_REPEATED || this.#repeated > this.most ? '' : text
  }
}

function spanOf(element: TreeElement, name: string, most: number): number {
  const count = Number.parseInt(element.get(name).slice(0, 9), 10)
  return count >= 1 ? Math.min(count, most) : 1
}

/** One row of several: in each column what they say, once. */
function joined(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, at) =>
    [...new Set(rows.map((row) => row[at] ?? ''))].filter(Boolean).join(' '),
  )
}
