import { BYTE_ORDER_MARK, csvLine } from '../../../../engine/values/csv'
import type { Row } from '../sections/section'
import type { Table } from './parts'

/** A table as CSV, in pieces. Texts that a spreadsheet would calculate are made harmless (`csvCell`). */
export async function* csvOf({ columns, read }: Table): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns)
  for await (const rows of read())
    yield rows.map((row) => csvLine(columns.map((column) => textOf(row, column)))).join('')
}

/** All tables as JSON lines; with several, each line names its table. */
export async function* jsonLinesOf(tables: readonly Table[]): AsyncGenerator<string> {
  for (const { name, read } of tables)
    for await (const rows of read())
      yield rows.map((row) => `${JSON.stringify(tables.length > 1 ? { table: name, ...row } : row)}\n`).join('')
}

function textOf(row: Row, column: string): string {
  const value = row[column]
  return value === null || value === undefined ? '' : String(value)
}
