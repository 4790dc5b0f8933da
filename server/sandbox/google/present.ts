import type { Call } from '../call'
import { one } from '../call'
import { readA1 } from './a1'
import { renderCell, toExtended } from './cells'
import { presentMetadata } from './metadata'
import { cellAt, type Sheet, type Spreadsheet, usedRows } from './spreadsheet'

export const presentSheet = ({ sheetId, title, rowCount, columnCount }: Sheet, index: number) => ({
  properties: { sheetId, title, index, sheetType: 'GRID', gridProperties: { rowCount, columnCount } },
})

export const spreadsheetUrl = (origin: string, id: string): string => `${origin}/spreadsheets/d/${id}/edit`

/** `GET spreadsheets/{id}`; cells only with `includeGridData=true` */
export function presentSpreadsheet(spreadsheet: Spreadsheet, origin: string, query: Call['query'] = {}) {
  const withCells = one(query.includeGridData) === 'true'
  const ranges = [query.ranges ?? []].flat().map((range) => readA1(spreadsheet, range))
  const notes = (sheetId: number | null) =>
    spreadsheet.metadata
      .filter(({ place }) =>
        sheetId === null ? place.kind === 'SPREADSHEET' : place.kind === 'SHEET' && place.sheetId === sheetId,
      )
      .map(presentMetadata)
  const own = notes(null)
  return {
    spreadsheetId: spreadsheet.id,
    properties: { title: spreadsheet.title, locale: 'en_GB', autoRecalc: 'ON_CHANGE', timeZone: 'Etc/UTC' },
    sheets: spreadsheet.sheets
      .map((sheet, index) => ({
        sheet,
        shown: {
          ...presentSheet(sheet, index),
          ...(withCells && { data: [presentCells(sheet)] }),
          ...(notes(sheet.sheetId).length > 0 && { developerMetadata: notes(sheet.sheetId) }),
        },
      }))
      .filter(({ sheet }) => ranges.length === 0 || ranges.some((area) => area.sheet === sheet))
      .map(({ shown }) => shown),
    spreadsheetUrl: spreadsheetUrl(origin, spreadsheet.id),
    ...(own.length > 0 && { developerMetadata: own }),
  }
}

function presentCells(sheet: Sheet) {
  const rowData = Array.from({ length: usedRows(sheet) }, (_, row) => ({
    values: (sheet.rows[row] ?? []).map((_cell, column) => {
      const cell = cellAt(sheet, row, column)
      const userEnteredValue = toExtended(cell)
      if (!userEnteredValue) return {}
      return { userEnteredValue, formattedValue: String(renderCell(cell, 'FORMATTED_VALUE')) }
    }),
  }))
  return { rowData }
}
