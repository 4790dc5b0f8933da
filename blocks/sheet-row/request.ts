import type { RequestOf } from '../../engine/effects/defineEffect'
import type { SheetCell, sheetsEffect } from '../../engine/effects/sheets'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { printValue, renderText, resolveValue, type Variables } from '../../engine/values/render'
import { findsRows, matchOf, type SheetRowData, setsCells, whichOf } from './schema'

/** The call that a block makes with these values; null if it does not know yet of which tab. */
export function sheetRequest(data: SheetRowData, variables: Variables): RequestOf<typeof sheetsEffect> | null {
  const { action, connection, spreadsheet, tab, limit } = data
  if (!connection || !spreadsheet || !tab) return null
  const cells = setsCells(data) ? data.cells : []
  return {
    action,
    connection,
    spreadsheet,
    tab,
    cells: cells
      .filter(({ column }) => column !== '')
      .map(({ column, value }) => ({ column, value: cellOf(value, variables) })),
    match: findsRows(data) ? rowsOf(data, variables) : null,
    which: whichOf(data),
    limit,
  }
}

/** Numbers and yes or no stay what they are; all else is text, and never a formula. */
function cellOf(value: DynamicValue, variables: Variables): SheetCell {
  const resolved = resolveValue(value, variables)
  return resolved !== null && typeof resolved === 'object' ? printValue(resolved) : resolved
}

function rowsOf(data: SheetRowData, variables: Variables): RequestOf<typeof sheetsEffect>['match'] {
  switch (matchOf(data)) {
    case 'column':
      return { by: 'column', column: data.matchColumn, value: renderText(data.matchValue, variables) }
    case 'row':
      return { by: 'row', row: renderText(data.row, variables).trim() }
    default:
      return null
  }
}

/** Variables that the call reads. */
export function variablesOf(data: SheetRowData): string[] {
  const match = !findsRows(data) ? [] : matchOf(data) === 'column' ? [data.matchValue] : [data.row]
  const values = [...(setsCells(data) ? data.cells.map(({ value }) => value) : []), ...match]
  return [...new Set(values.flatMap(dynamicValueVariables))]
}
