import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { sheetCaps } from '../../engine/values/sheets'
import { type SheetRowData, sheetRowDefaults } from './schema'

/** What is left out of a file: the account, which is of the other product, and the tab's name. */
export const sheetRowFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Google Sheets'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, OPTIONS, context)
    const action = textOf(options.action) || 'Insert a row'
    context.note('Choose the connection, the spreadsheet and the tab: the file has no account and no names.')
    context.remark('A spreadsheet’s block led on by one exit in any case: connect Not found and Failure as well.')
    const data = action.startsWith('Get')
      ? reading(options, context)
      : action.startsWith('Update')
        ? updating(options, context)
        : { action: 'add' as const, cells: cellsOf(options.cellsToInsert, context) }
    return { data: { ...sheetRowDefaults(), ...placeOf(options, context), ...data }, ports: { default: 'success' } }
  },
}

const OPTIONS = [
  ...['action', 'credentialsId', 'spreadsheetId', 'sheetId', 'cellsToInsert', 'cellsToUpsert', 'cellsToExtract'],
  ...['filter', 'referenceCell', 'totalRowsToExtract'],
]

function placeOf(options: Fields, context: ImportContext): Pick<SheetRowData, 'spreadsheet' | 'tab'> {
  const id = textOf(options.spreadsheetId).trim()
  const tab = textOf(options.sheetId).trim()
  const isPlain = /^[\w-]{1,200}$/.test(id)
  if (id !== '' && !isPlain) context.note(`The spreadsheet was named by '${clip(id, 60)}': here it is chosen.`)
  // a tab's name is asked for where it is not the one that is known
  const isTab = isPlain && /^\d{1,10}$/.test(tab)
  return {
    spreadsheet: isPlain ? { id, name: id } : null,
    tab: isTab ? { id: Number(tab), title: tab } : null,
  }
}

function updating(options: Fields, context: ImportContext): Partial<SheetRowData> {
  const match = matchOf(options, context)
  if (!match) context.note('It does not say which rows are changed: choose them.')
  return { action: 'update', cells: cellsOf(options.cellsToUpsert, context), which: 'all', ...match }
}

function reading(options: Fields, context: ImportContext): Partial<SheetRowData> {
  const total = textOf(options.totalRowsToExtract) || 'All'
  if (total === 'Last') context.note('It took the last row that matches: here the first one is taken.')
  return {
    action: 'get',
    ...(matchOf(options, context) ?? { matchBy: 'none' }),
    which: total === 'All' ? 'all' : total === 'Random' ? 'random' : 'first',
    limit: sheetCaps.rows,
    outputs: rowsOf(options.cellsToExtract, context).map(({ column, variableId }) => ({
      id: context.id(),
      column: columnOf(column),
      saveTo: context.variable(variableId),
    })),
  }
}

/** Rows were picked by comparisons: here by what one column holds. */
function matchOf(
  options: Fields,
  context: ImportContext,
): Pick<SheetRowData, 'matchBy' | 'matchColumn' | 'matchValue'> | null {
  const { comparisons } = fieldsOf(options.filter)
  const reference = fieldsOf(options.referenceCell)
  const all = listOf(comparisons).map(fieldsOf)
  const compared = all.length > 0 ? all : textOf(reference.column) === '' ? [] : [reference]
  const [first] = compared
  if (!first) return null
  const operator = textOf(first.comparisonOperator) || 'Equal to'
  if (operator !== 'Equal to')
    context.note(`Rows were compared by '${clip(operator, 40)}': here the column holds the value. Check it.`)
  if (compared.length > 1)
    context.note(`Rows were picked by ${compared.length} comparisons: here by the first of them. Check it.`)
  return {
    matchBy: 'column',
    matchColumn: columnOf(first.column),
    matchValue: context.text(first.value, caps.setVariable),
  }
}

const cellsOf = (given: unknown, context: ImportContext): SheetRowData['cells'] =>
  rowsOf(given, context).map(({ column, value }) => ({
    id: context.id(),
    column: columnOf(column),
    value: context.text(value, caps.setVariable),
  }))

function rowsOf(given: unknown, context: ImportContext): Fields[] {
  const rows = listOf(given).map(fieldsOf)
  if (rows.length > sheetCaps.columns)
    context.note(`It had ${rows.length} columns: the first ${sheetCaps.columns} are kept.`)
  return rows.slice(0, sheetCaps.columns)
}

const columnOf = (name: unknown): string => clip(textOf(name), sheetCaps.column)
