import { sheetsEffect } from '../../engine/effects/sheets'
import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import { call, note, read, setVariable } from '../../engine/flow/steps'
import { isBlankValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { sheetRowFromTypebot } from './import'
import { sheetRequest, variablesOf } from './request'
import { findsRows, matchOf, type SheetRowData, setsCells, sheetRowDefaults, sheetRowSchema, whichOf } from './schema'

/** Adds, updates, clears, deletes or gets rows of a spreadsheet in Google Sheets. */
export const sheetRow = defineBlock({
  kind: 'sheet-row',
  category: 'other',
  title: 'Google Sheets',
  help: 'Adds, updates, clears, deletes or gets rows of a spreadsheet.',
  schema: sheetRowSchema,
  defaults: sheetRowDefaults,
  importers: [sheetRowFromTypebot],
  ports: (data) => [
    { id: 'success', label: 'Success' },
    ...(findsRows(data) ? [{ id: 'not-found' as const, label: 'Not found' }] : []),
    { id: 'failure', label: 'Failure' },
  ],
  reads: variablesOf,
  writes: (data) => [
    ...(findsRows(data) && data.saveCountTo ? [data.saveCountTo] : []),
    ...(data.action === 'get' ? [data.saveRowsTo, ...data.outputs.map(({ saveTo }) => saveTo)] : []).flatMap(
      (id) => id ?? [],
    ),
  ],
  connections: ({ connection }) => (connection === null ? [] : [connection]),
  problems: (data) => [...placeProblems(data), ...contentProblems(data)],
  *run(data) {
    const request = sheetRequest(data, yield* read())
    if (!request) {
      yield* note('Choose the connection, the spreadsheet and the tab in the block’s settings.')
      return 'failure'
    }
    const result = yield* call(sheetsEffect, request)
    if (result.ok) {
      if (findsRows(data) && data.saveCountTo) yield* setVariable(data.saveCountTo, result.numbers?.length ?? 0)
      if (data.action === 'get') yield* save(data, result.rows ?? [])
      return 'success'
    }
    if (result.error === 'not-found' && findsRows(data)) {
      if (data.saveCountTo) yield* setVariable(data.saveCountTo, 0)
      return 'not-found'
    }
    if (result.error) yield* note(result.error)
    return 'failure'
  },
})

function* save(data: SheetRowData, rows: readonly Record<string, Json>[]) {
  const isList = whichOf(data) === 'all'
  const cellOf = (row: Record<string, Json> | undefined, column: string): Json =>
    row && Object.hasOwn(row, column) ? (row[column] ?? null) : null
  for (const { column, saveTo } of data.outputs) {
    if (!saveTo) continue
    yield* setVariable(saveTo, isList ? rows.map((row) => cellOf(row, column)) : cellOf(rows[0], column))
  }
  if (data.saveRowsTo) yield* setVariable(data.saveRowsTo, isList ? [...rows] : (rows[0] ?? null))
}

function placeProblems({ connection, spreadsheet, tab }: SheetRowData): FieldProblem[] {
  if (connection === null) return [{ path: 'connection', message: 'Choose a connection' }]
  if (spreadsheet === null) return [{ path: 'spreadsheet', message: 'Choose a spreadsheet' }]
  return tab === null ? [{ path: 'tab', message: 'Choose a tab' }] : []
}

function contentProblems(data: SheetRowData): FieldProblem[] {
  const found: FieldProblem[] = []
  if (setsCells(data) && data.cells.every(({ column }) => column === ''))
    found.push({ path: 'cells', message: 'Add a column' })
  if (findsRows(data) && matchOf(data) === 'column' && data.matchColumn === '')
    found.push({ path: 'matchColumn', message: 'Choose the column to search' })
  if (findsRows(data) && matchOf(data) === 'row' && isBlankValue(data.row))
    found.push({ path: 'row', message: 'Enter the number of the row' })
  return found
}
