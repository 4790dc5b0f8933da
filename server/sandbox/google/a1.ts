import { refuseGoogle } from './errors'
import type { Sheet, Spreadsheet } from './spreadsheet'

/** Rows and columns of a sheet, from zero, the ends excluded. */
export interface Area {
  sheet: Sheet
  top: number
  left: number
  bottom: number
  right: number
}

const CELLS = /^\$?([A-Za-z]{1,3})?\$?(\d+)?(?::\$?([A-Za-z]{1,3})?\$?(\d+)?)?$/

/** @returns what an A1 range means. @throws a Refusal for one that can't be read, or is beyond the grid */
export function readA1(spreadsheet: Spreadsheet, range: string): Area {
  const unparsed = () => refuseGoogle(400, `Unable to parse range: ${range}`)
  const { title, cells } = splitTitle(range)
  const named = title === null ? undefined : spreadsheet.sheets.find((sheet) => sameTitle(sheet.title, title))
  if (title !== null && !named) throw unparsed()
  if (named && cells === '') return whole(named)
  const alone = title === null ? spreadsheet.sheets.find((sheet) => sameTitle(sheet.title, cells)) : undefined
  const found = CELLS.exec(cells)
  // a tab's title stands for the tab, unless it looks like a cell
  if (alone && !/^[A-Za-z]{1,3}\d+$/.test(cells)) return whole(alone)
  const sheet = named ?? spreadsheet.sheets[0]
  if (!found || cells === '' || !sheet) throw unparsed()
  const [, column, row, toColumn, toRow] = found
  const isRange = cells.includes(':')
  if (!isRange && (column === undefined || row === undefined)) throw unparsed()
  if (isRange && column === undefined && row === undefined) throw unparsed()
  const left = column === undefined ? 0 : columnNumber(column)
  const top = row === undefined ? 0 : Number(row) - 1
  const bottom = isRange ? (toRow === undefined ? sheet.rowCount : Number(toRow)) : top + 1
  const right = isRange ? (toColumn === undefined ? sheet.columnCount : columnNumber(toColumn) + 1) : left + 1
  if (top < 0 || top >= sheet.rowCount || left >= sheet.columnCount) throw beyondGrid(sheet, range)
  if (bottom <= top || right <= left) throw unparsed()
  return { sheet, top, left, bottom: Math.min(bottom, sheet.rowCount), right: Math.min(right, sheet.columnCount) }
}

/** A write or read that does not fit. */
export const beyondGrid = (sheet: Sheet, range: string) =>
  refuseGoogle(
    400,
    `Range (${range}) exceeds grid limits. Max rows: ${sheet.rowCount}, max columns: ${sheet.columnCount}`,
  )

/** @returns an area as Google writes it: `'It''s'!A1:C2` */
export function writeA1({ sheet, top, left, bottom, right }: Area): string {
  const first = `${columnName(left)}${top + 1}`
  const last = `${columnName(right - 1)}${bottom}`
  return `${quoteTitle(sheet.title)}!${first === last ? first : `${first}:${last}`}`
}

export const quoteTitle = (title: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(title) ? title : `'${title.replaceAll("'", "''")}'`

export function columnName(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

const columnNumber = (name: string) =>
  [...name.toUpperCase()].reduce((number, sign) => number * 26 + sign.charCodeAt(0) - 64, 0) - 1

const whole = (sheet: Sheet): Area => ({ sheet, top: 0, left: 0, bottom: sheet.rowCount, right: sheet.columnCount })

const sameTitle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function splitTitle(range: string): { title: string | null; cells: string } {
  const quoted = /^'((?:[^']|'')*)'(?:!(.*))?$/.exec(range)
  if (quoted) return { title: (quoted[1] ?? '').replaceAll("''", "'"), cells: quoted[2] ?? '' }
  const at = range.lastIndexOf('!')
  return at < 0 ? { title: null, cells: range } : { title: range.slice(0, at), cells: range.slice(at + 1) }
}
