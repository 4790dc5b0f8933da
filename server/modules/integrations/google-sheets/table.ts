import type { SheetCall, SheetCell } from '../../../../engine/effects/sheets'
import type { Json } from '../../../../engine/values/json'
import { printValue } from '../../../../engine/values/render'
import { sheetCaps } from '../../../../engine/values/sheets'
import { VendorError } from '../calls/vendorError'

/** A row of a tab: its number as the spreadsheet counts, and its cells. */
export interface SheetRow {
  number: number
  cells: readonly Json[]
}

/** The name of a column, as its first cell says. */
export const columnName = (cell: Json | undefined): string => printValue(cell).trim()

/** The place of a column, from 0. @throws VendorError column_missing, column_twice */
export function columnAt(header: readonly Json[], name: string): number {
  const wanted = name.trim()
  const places = header.flatMap((cell, at) => (columnName(cell) === wanted ? [at] : []))
  const [place] = places
  if (place === undefined) throw new VendorError('column_missing', name)
  if (places.length > 1) throw new VendorError('column_twice', name)
  return place
}

/** The first row, which names the columns. @throws VendorError header_empty */
export function headerOf(values: readonly (readonly Json[])[], about: string): readonly Json[] {
  const [header = []] = values
  if (header.every((cell) => columnName(cell) === '')) throw new VendorError('header_empty', about)
  return header
}

/** The rows that a call means, in their order; empty ones are none. @throws VendorError */
export function matchingRows(values: readonly (readonly Json[])[], match: SheetCall['match']): SheetRow[] {
  const [header = [], ...body] = values
  const rows = body
    .map((cells, at): SheetRow => ({ number: at + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => printValue(cell) !== ''))
  if (match === null) return rows
  if (match.by === 'row') {
    if (!/^\d{1,8}$/.test(match.row) || Number(match.row) < 2) throw new VendorError('bad_row', match.row)
    return rows.filter(({ number }) => number === Number(match.row))
  }
  const place = columnAt(header, match.column)
  const wanted = match.value.trim()
  return rows.filter(({ cells }) => printValue(cells[place]).trim() === wanted)
}

/** A row by its columns' names; cells without a name are left out. */
export function namedCells(header: readonly Json[], { cells }: SheetRow): Record<string, Json> {
  const named = header.flatMap((cell, at) => {
    const name = columnName(cell)
    return name === '' ? [] : [[name, cells[at] ?? null] as const]
  })
  // of columns with the same name the first counts; and `__proto__` is a name as any other
  return Object.fromEntries(named.reverse())
}

/** Where each of a call's cells goes. @throws VendorError column_missing, column_twice, too_long */
export function placedCells(header: readonly Json[], cells: SheetCall['cells']): Map<number, SheetCell> {
  return new Map(
    cells.map(({ column, value }) => {
      if (typeof value === 'string' && value.length > sheetCaps.cell) throw new VendorError('too_long', column)
      return [columnAt(header, column), value]
    }),
  )
}
