import { joinLines } from './joinLines'
import { lineText, mostOf, type Piece } from './pdfPieces'
import { isRightToLeft } from './rightToLeft'

/** What stands together in a line. */
export interface Cell {
  x: number
  end: number
  pieces: Piece[]
}

export interface PdfTable {
  rows: string[][]
  /** whether the first row names the columns */
  head: boolean
  /** of its first line */
  x: number
  y: number
  size: number
}

/** Rows that make a table. */
const FEWEST_ROWS = 3
/** In font sizes: lines further apart are not of one cell. */
const WRAPPED = 1.6
/** Gaps between rows are so much larger than those between the lines of a cell. */
const APART = 1.2
/** The share of a column's cells that are numbers, where it is one of numbers. */
const NUMBERS = 0.6

interface Line {
  y: number
  size: number
  cells: readonly Cell[]
}

/**
 * Puts a table together: lines of a cell into one text, the columns from right to left where they are read so.
 * @param inColumn the number of a cell's column. @returns null if too few rows are left
 */
export function tableOf(lines: readonly Line[], inColumn: (cell: Cell) => number, columns: number): PdfTable | null {
  const texts = lines.map(({ cells }) => {
    const row = Array.from({ length: columns }, () => '')
    for (const cell of cells) row[inColumn(cell)] = lineText(cell.pieces).text
    return row
  })
  const within = withinRow(lines, texts)
  const parts: string[][][] = []
  for (const [at, row] of texts.entries()) {
    const open = parts.at(-1)
    if (open && continues(lines, texts, at, within)) {
      for (const [column, text] of row.entries()) if (text !== '') open[column]?.push(text)
    } else parts.push(row.map((text) => (text === '' ? [] : [text])))
  }
  const rows = parts.map((row) => row.map(joinLines))
  if (rows.filter((row) => row.filter(Boolean).length > 1).length < FEWEST_ROWS) return null
  const head = namesColumns(lines, rows)
  if (isRightToLeft(rows.flat().join(' ').slice(0, 2_000))) for (const row of rows) row.reverse()
  const [first] = lines
  return { rows, head, x: first?.cells[0]?.x ?? 0, y: first?.y ?? 0, size: first?.size ?? 1 }
}

const gapAbove = (lines: readonly Line[], at: number): number => (lines[at - 1]?.y ?? 0) - (lines[at]?.y ?? 0)
const isFull = (row: readonly string[] | undefined): boolean => row?.every(Boolean) ?? false

/**
 * The largest gap between lines of one cell, where rows are further apart than those. Null: all gaps are alike, or two
 * lines without an empty cell are as close: they are rows.
 */
function withinRow(lines: readonly Line[], texts: readonly string[][]): number | null {
  const gaps = lines.slice(1).map((_, at) => Math.round(gapAbove(lines, at + 1) * 2) / 2)
  const size = lines[0]?.size ?? 1
  const sorted = [...new Set(gaps)].sort((one, other) => one - other)
  for (let at = sorted.length - 2; at >= 0; at--) {
    const [small = 0, large = 0] = [sorted[at], sorted[at + 1]]
    if (small > WRAPPED * size || large < APART * small) continue
    const within = (small + large) / 2
    const rows = gaps.some((gap, line) => gap <= within && isFull(texts[line]) && isFull(texts[line + 1]))
    return rows || gaps.filter((gap) => gap > within).length < FEWEST_ROWS - 1 ? null : within
  }
  return null
}

/** Whether a line goes on with the row above: one of them has empty cells, and it stands close, or has no name. */
function continues(lines: readonly Line[], texts: readonly string[][], at: number, within: number | null): boolean {
  const gap = gapAbove(lines, at)
  if (within !== null) return gap <= within
  return texts[at]?.[0] === '' && gap <= WRAPPED * (lines[at]?.size ?? 1)
}

const NUMBER = /^[^\p{L}]*\p{Nd}[^\p{L}]*(?:\p{L}{1,4}\.?)?$/u

/**
 * Whether the first row names the columns: it is set in another font, or further apart, or a column of numbers begins
 * with none. Three columns and more are taken to be named; pairs of a name and a value are not.
 */
function namesColumns(lines: readonly Line[], rows: readonly string[][]): boolean {
  const [first = [], ...rest] = rows
  const columns = first.map((_, at) => rest.map((row) => row[at] ?? '').filter(Boolean))
  const ofNumbers = columns.map(
    (cells) => cells.length > 0 && cells.filter((cell) => NUMBER.test(cell)).length >= NUMBERS * cells.length,
  )
  if (first.some((cell, at) => ofNumbers[at] && NUMBER.test(cell))) return false
  if (first.some((cell, at) => ofNumbers[at] && cell !== '')) return true
  const fonts = lines.map(({ cells }) => fontOf(cells))
  if (fonts.slice(1).every((font) => font !== fonts[0])) return true
  return first.filter(Boolean).length >= 3
}

/** The font of most letters. */
function fontOf(cells: readonly Cell[]): string {
  const letters = new Map<string, number>()
  for (const { pieces } of cells)
    for (const { font, size, str } of pieces) {
      const key = `${font} ${Math.round(size)}`
      letters.set(key, (letters.get(key) ?? 0) + str.length)
    }
  return mostOf(letters) ?? ''
}
