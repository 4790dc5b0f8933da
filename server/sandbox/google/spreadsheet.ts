import type { Cell } from './cells'

export interface Sheet {
  sheetId: number
  title: string
  rowCount: number
  columnCount: number
  /** rows that are shorter than the grid, or missing, are empty to its end */
  rows: Cell[][]
}

/** A note of a program on a place of the spreadsheet, which people do not see. */
export interface Metadata {
  metadataId: number
  metadataKey: string
  metadataValue?: string
  visibility: 'DOCUMENT' | 'PROJECT'
  place: MetadataPlace
}

export type MetadataPlace =
  | { kind: 'SPREADSHEET' }
  | { kind: 'SHEET'; sheetId: number }
  | { kind: 'ROW' | 'COLUMN'; sheetId: number; index: number }

export interface Spreadsheet {
  id: string
  title: string
  /** whose it is: an id of a person */
  ownerId: string
  /** emails of others who may edit it */
  sharedWith: string[]
  /** applications that made it, or that it was picked for: what `drive.file` reaches */
  openedWith: string[]
  trashed: boolean
  modified: Date
  sheets: Sheet[]
  metadata: Metadata[]
}

/** As a new tab is. */
export const NEW_GRID = { rowCount: 1_000, columnCount: 26 }

export const cellAt = (sheet: Sheet, row: number, column: number): Cell => sheet.rows[row]?.[column] ?? null

/** Puts a cell; the grid must hold it. */
export function putCell(sheet: Sheet, row: number, column: number, cell: Cell): void {
  while (sheet.rows.length <= row) sheet.rows.push([])
  const cells = sheet.rows[row] as Cell[]
  while (cells.length <= column) cells.push(null)
  cells[column] = cell
}

export const isEmptyRow = (sheet: Sheet, row: number): boolean => (sheet.rows[row] ?? []).every((cell) => cell === null)

/** @returns how many rows there are up to the last one with a value */
export function usedRows(sheet: Sheet): number {
  let count = sheet.rows.length
  while (count > 0 && isEmptyRow(sheet, count - 1)) count -= 1
  return count
}

/** Makes room for rows: what lies at `at` and below moves down, and notes on rows with it. */
export function insertRows(spreadsheet: Spreadsheet, sheet: Sheet, at: number, count: number): void {
  while (sheet.rows.length < at) sheet.rows.push([])
  sheet.rows.splice(at, 0, ...Array.from({ length: count }, () => []))
  sheet.rowCount += count
  moveNotes(spreadsheet, sheet, 'ROW', at, count)
}

export function deleteRows(spreadsheet: Spreadsheet, sheet: Sheet, from: number, to: number): void {
  sheet.rows.splice(from, to - from)
  sheet.rowCount -= to - from
  dropNotes(spreadsheet, sheet, 'ROW', from, to)
}

export function insertColumns(spreadsheet: Spreadsheet, sheet: Sheet, at: number, count: number): void {
  for (const row of sheet.rows) if (row.length > at) row.splice(at, 0, ...Array.from({ length: count }, () => null))
  sheet.columnCount += count
  moveNotes(spreadsheet, sheet, 'COLUMN', at, count)
}

export function deleteColumns(spreadsheet: Spreadsheet, sheet: Sheet, from: number, to: number): void {
  for (const row of sheet.rows) row.splice(from, to - from)
  sheet.columnCount -= to - from
  dropNotes(spreadsheet, sheet, 'COLUMN', from, to)
}

function moveNotes({ metadata }: Spreadsheet, sheet: Sheet, kind: 'ROW' | 'COLUMN', from: number, by: number): void {
  for (const { place } of metadata)
    if (place.kind === kind && place.sheetId === sheet.sheetId && place.index >= from) place.index += by
}

function dropNotes(spreadsheet: Spreadsheet, sheet: Sheet, kind: 'ROW' | 'COLUMN', from: number, to: number): void {
  spreadsheet.metadata = spreadsheet.metadata.filter(
    ({ place }) => place.kind !== kind || place.sheetId !== sheet.sheetId || place.index < from || place.index >= to,
  )
  moveNotes(spreadsheet, sheet, kind, to, from - to)
}
