import { isBlank, onOneLine, type Piece, sizeOf } from './pdfPieces'
import { type Cell, type PdfTable, tableOf } from './pdfTable'

/** A piece of text, or a table in the place of its pieces. */
export type LaidOut = Piece | PdfTable

/** In font sizes: a wider gap within a line may separate columns. */
const CELL_GAP = 0.7
/** In font sizes: rows further apart belong to different tables. */
const ROW_GAP = 4
/** In font sizes: a line so close to a table may be one of a cell. */
const LINE_GAP = 1.6
const MOST_COLUMNS = 40
/** Lines that are looked at above a table's first full one. */
const MOST_ABOVE = 10
/** Lines with more than one column, from which on they are columns. */
const FEWEST_ROWS = 3
/** Columns of running text: letters a line, and how much of the column a line fills, both on average. */
const TEXT_LETTERS = 25
const TEXT_FILL = 0.7
/** The share of lines that begin within a sentence, where text was drawn across its columns. */
const WITHIN = 0.4
/** The share of a column's cells that have an edge or their middle in common. */
const ALIGNED = 0.6

/** What lies side by side in a line. */
interface Row {
  y: number
  size: number
  cells: Cell[]
}
interface Column {
  x: number
  end: number
  /** numbers of rows with something in it */
  rows: Set<number>
}
interface Region {
  rows: Row[]
  columns: Column[]
  /** lines above it, the nearest first */
  above: readonly Row[]
}

/**
 * A page's pieces in reading order. What stands in columns is found by place alone, over lines that share their
 * columns: a table is put together, columns of running text come one after another; all else stays as it was drawn.
 */
export function laidOut(pieces: readonly Piece[]): LaidOut[] {
  const order = new Map(pieces.map((piece, at) => [piece, at]))
  const place = new Map<Piece, PdfTable | readonly Piece[]>()
  for (const region of regionsOf(rowsOf(pieces))) {
    const found = readRegion(region, order)
    if (found) for (const { pieces: own } of cellsOf(region)) for (const piece of own) place.set(piece, found)
  }
  const parts: LaidOut[] = []
  const done = new Set<unknown>()
  for (const piece of pieces) {
    const found = place.get(piece)
    if (found === undefined) parts.push(piece)
    else if (!done.has(found)) {
      done.add(found)
      if ('rows' in found) parts.push(found)
      else for (const each of found) parts.push(each)
    }
  }
  return parts
}

/** Lines across the page, from its top, and what lies apart in them. */
function rowsOf(pieces: readonly Piece[]): Row[] {
  const lines: Piece[][] = []
  const sorted = pieces.filter((piece) => !isBlank(piece)).sort((one, other) => other.y - one.y)
  for (const piece of sorted) {
    const open = lines.at(-1)
    if (open?.[0] && onOneLine(open[0], piece)) open.push(piece)
    else lines.push([piece])
  }
  return lines.map((line) => {
    const size = sizeOf(line)
    const cells: Cell[] = []
    for (const piece of line.sort((one, other) => one.x - other.x)) {
      const open = cells.at(-1)
      const end = piece.x + piece.width
      if (open && piece.x - open.end <= CELL_GAP * size) {
        open.pieces.push(piece)
        open.end = Math.max(open.end, end)
      } else cells.push({ x: piece.x, end, pieces: [piece] })
    }
    return { y: line[0]?.y ?? 0, size, cells }
  })
}

/** Runs of lines whose parts stand under each other. */
function regionsOf(rows: readonly Row[]): Region[] {
  const regions: Region[] = []
  let open: Region | null = null
  let from = 0
  for (const [at, row] of rows.entries()) {
    if (open && adds(open, row)) continue
    if (open && fullRows(open) > 1) from = at
    open = row.cells.length > 1 && row.cells.length <= MOST_COLUMNS ? { rows: [], columns: [], above: [] } : null
    if (!open || !adds(open, row)) continue
    // above the first line with several parts may be more of the table: names of columns, lines of its cells
    open.above = rows.slice(Math.max(from, at - MOST_ABOVE), at).reverse()
    regions.push(open)
  }
  const large = regions.filter((region) => fullRows(region) > 1)
  for (const region of large) {
    for (const [at, row] of region.above.entries()) if (!adds(region, row, region.above[at + 1] ?? null)) break
    trim(region)
  }
  return large.filter((region) => fullRows(region) >= FEWEST_ROWS)
}

const fullRows = ({ rows }: Region): number => rows.filter(({ cells }) => cells.length > 1).length

/**
 * Takes a row into a region, unless it has other columns.
 * @param higher the line above the row, if it is to be added above the region
 */
function adds(region: Region, row: Row, higher?: Row | null): boolean {
  const above = higher !== undefined
  const { rows, columns } = region
  const beside = above ? rows[0] : rows.at(-1)
  const gap = beside ? Math.abs(beside.y - row.y) : 0
  if (gap > ROW_GAP * Math.max(beside?.size ?? 0, row.size)) return false
  const cells = fitting(row, columns)
  if (!cells) return false
  // a line by itself that stands under nothing is of a cell between the others, if of any
  const alone = row.cells.length === 1 && cells.every(({ touched }) => touched.length === 0)
  if (alone && (gap > LINE_GAP * row.size || !isBetween(row, columns))) return false
  // nor is a table's title, unlike the last line of a column's name
  const named = higher && higher.cells.length > 1 && higher.y - row.y <= LINE_GAP * row.size
  if (above && cells.length === 1 && gap > LINE_GAP * row.size && !named) return false
  const number = above ? -1 - region.columns.length - rows.length : rows.length
  for (const { cell, touched } of cells) join(region, touched, { x: cell.x, end: cell.end, row: number })
  columns.sort((one, other) => one.x - other.x)
  row.cells = cells.map(({ cell }) => cell)
  if (above) rows.unshift(row)
  else rows.push(row)
  return true
}

interface Fitting {
  cell: Cell
  touched: Column[]
}

/** A row's cells with the columns that each touches, parted where columns are close together; null: it fits none. */
function fitting({ cells, size }: Row, columns: readonly Column[]): Fitting[] | null {
  const slack = 0.1 * size
  const touchedBy = ({ x, end }: { x: number; end: number }) =>
    columns.filter((column) => x < column.end - slack && end > column.x + slack)
  const fits = (all: readonly Cell[]): Fitting[] | null => {
    const found = all.map((cell) => ({ cell, touched: touchedBy(cell) }))
    const columnsOf = found.flatMap(({ touched }) => touched)
    if (new Set(columnsOf).size < columnsOf.length || !found.every(({ touched }) => areOne(touched))) return null
    return columns.length - columnsOf.length + found.length > MOST_COLUMNS ? null : found
  }
  const whole = fits(cells)
  if (whole) return whole
  const parted: Cell[] = []
  for (const { pieces } of cells) {
    let last: Column | undefined
    for (const piece of pieces) {
      const place = { x: piece.x, end: piece.x + piece.width }
      const [column, other] = touchedBy(place)
      if (!column || other) return null
      const open = parted.at(-1)
      if (open && column === last) {
        open.pieces.push(piece)
        open.end = Math.max(open.end, place.end)
      } else parted.push({ ...place, pieces: [piece] })
      last = column
    }
  }
  return fits(parted)
}

function isBetween({ cells }: Row, columns: readonly Column[]): boolean {
  const [cell] = cells
  return cell !== undefined && cell.x >= (columns[0]?.x ?? 0) && cell.end <= (columns.at(-1)?.end ?? 0)
}

/** Makes one column of those that a cell touches, or a new one. */
function join({ columns }: Region, touched: readonly Column[], cell: { x: number; end: number; row: number }): void {
  const [column, ...others] = bySize(touched)
  if (!column) {
    columns.push({ x: cell.x, end: cell.end, rows: new Set([cell.row]) })
    return
  }
  for (const other of others) {
    columns.splice(columns.indexOf(other), 1)
    for (const row of other.rows) column.rows.add(row)
  }
  column.rows.add(cell.row)
  column.x = Math.min(cell.x, ...touched.map(({ x }) => x))
  column.end = Math.max(cell.end, ...touched.map(({ end }) => end))
}

/** The one with most rows first: what is done for each row of the others stays little. */
const bySize = (columns: readonly Column[]): Column[] =>
  columns.length < 2 ? [...columns] : [...columns].sort((one, other) => other.rows.size - one.rows.size)

/** Whether columns were never filled side by side: then a wider cell shows that they are one. */
function areOne(columns: readonly Column[]): boolean {
  const sorted = bySize(columns)
  return sorted.every(({ rows }, at) =>
    sorted.slice(at + 1).every((smaller) => [...smaller.rows].every((row) => !rows.has(row))),
  )
}

/** Lines after a table that only happen to stand under a column of it. */
function trim({ rows }: Region): void {
  for (let last = rows.at(-1); last?.cells.length === 1; last = rows.at(-1)) {
    const gap = (rows.at(-2)?.y ?? last.y) - last.y
    if (gap <= 1.5 * last.size && Math.abs((rows.at(-2)?.size ?? 0) - last.size) < 0.6) break
    rows.pop()
  }
}

const cellsOf = ({ rows }: Region): Cell[] => rows.flatMap(({ cells }) => cells)

/** Null: neither a table nor columns of text. */
function readRegion({ rows, columns }: Region, order: ReadonlyMap<Piece, number>): PdfTable | Piece[] | null {
  const inColumn = (cell: Cell) => columns.findIndex(({ x, end }) => cell.x >= x && cell.end <= end)
  const byColumn: Cell[][] = columns.map(() => [])
  for (const { cells } of rows) for (const cell of cells) byColumn[inColumn(cell)]?.push(cell)
  const full = byColumn.filter((cells) => cells.length >= FEWEST_ROWS)
  if (full.length < 2 || full.some(areMarks)) return null
  if (full.every(isText)) {
    const read = readAs(rows, inColumn, order)
    if (read === 'drawn') return null
    if (read === 'down') return byColumn.flatMap((cells) => piecesOf(cells))
  }
  return full.every(areAligned) ? tableOf(rows, inColumn, columns.length) : null
}

const piecesOf = (cells: readonly Cell[]): Piece[] => cells.flatMap(({ pieces }) => pieces)
const textOf = ({ pieces }: Cell): string => pieces.map(({ str }) => str).join('')

const MARK = /^(?:[•◦▪‣●■*–—-]|\(?(?:\d{1,3}|\p{L})[.)])$/u
/** Bullets and numbers beside a list's entries. */
const areMarks = (cells: readonly Cell[]): boolean => cells.every((cell) => MARK.test(textOf(cell).trim()))

function isText(cells: readonly Cell[]): boolean {
  const start = least(cells.map(({ x }) => x))
  const width = -least(cells.map(({ end }) => -end)) - start
  const letters = mean(cells.map((cell) => textOf(cell).length))
  return letters >= TEXT_LETTERS && mean(cells.map(({ x, end }) => end - x)) >= TEXT_FILL * width
}

/**
 * How text in columns is read: as it was drawn, where one column came after the other; down its columns, where it was
 * drawn line by line across the page: then many lines begin within a sentence; else as a table's cells.
 */
function readAs(
  rows: readonly Row[],
  inColumn: (cell: Cell) => number,
  order: ReadonlyMap<Piece, number>,
): 'drawn' | 'down' | 'across' {
  const drawn = rows
    .flatMap(({ cells }) => cells)
    .map((cell) => ({ column: inColumn(cell), at: least(cell.pieces.map((piece) => order.get(piece) ?? 0)), cell }))
    .sort((one, other) => one.at - other.at)
  const changes = drawn.filter(({ column }, at) => at > 0 && drawn[at - 1]?.column !== column).length
  if (changes <= new Set(drawn.map(({ column }) => column)).size) return 'drawn'
  if (changes < 0.8 * (drawn.length - 1)) return 'across'
  const within = drawn.filter(({ cell }) => BEGINS_WITHIN.test(textOf(cell).trimStart())).length
  return within >= WITHIN * drawn.length ? 'down' : 'across'
}
/** In a small letter, or in one of a script without capitals. */
const BEGINS_WITHIN = /^[\p{Ll}\p{Lo}]/u

/** Whether most cells begin, end or have their middle at the same place. */
function areAligned(cells: readonly Cell[]): boolean {
  const size = cells[0]?.pieces[0]?.size ?? 1
  const edges = [({ x }: Cell) => x, ({ end }: Cell) => end, ({ x, end }: Cell) => (x + end) / 2]
  return edges.some((edge) => largestGroup(cells.map(edge), 0.4 * size) >= ALIGNED * cells.length)
}

/** How many numbers lie within a width of each other, at most. */
function largestGroup(numbers: readonly number[], width: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  let most = 0
  let from = 0
  for (const [at, number] of sorted.entries()) {
    while (number - (sorted[from] as number) > width) from++
    most = Math.max(most, at - from + 1)
  }
  return most
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
const least = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other))
