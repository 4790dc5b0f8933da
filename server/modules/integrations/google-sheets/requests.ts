import type { SheetCell } from '../../../../engine/effects/sheets'
import type { Json } from '../../../../engine/values/json'

/**
 * A cell as Google stores it: a text stays a text, whatever it begins with, so that no visitor writes a formula. An
 * empty one holds nothing.
 */
const cell = (value: SheetCell | undefined): Json => {
  switch (typeof value) {
    case 'number':
      return { userEnteredValue: { numberValue: value } }
    case 'boolean':
      return { userEnteredValue: { boolValue: value } }
    case 'string':
      return value === '' ? {} : { userEnteredValue: { stringValue: value } }
    default:
      return {}
  }
}

const FIELDS = 'userEnteredValue'

/** Adds a row after the last one. */
export const appendRow = (sheetId: number, cells: ReadonlyMap<number, SheetCell>): Json => ({
  appendCells: {
    sheetId,
    rows: [{ values: Array.from({ length: Math.max(-1, ...cells.keys()) + 1 }, (_, at) => cell(cells.get(at))) }],
    fields: FIELDS,
  },
})

/** Sets cells of a row, each by itself, so that those between them stay as they are. */
export const updateRow = (sheetId: number, row: number, cells: ReadonlyMap<number, SheetCell>): Json[] =>
  Array.from(cells, ([column, value]) => ({
    updateCells: {
      range: { ...rowRange(sheetId, row), startColumnIndex: column, endColumnIndex: column + 1 },
      rows: [{ values: [cell(value)] }],
      fields: FIELDS,
    },
  }))

/** Empties a row, which stays. */
export const clearRow = (sheetId: number, row: number): Json => ({
  updateCells: { range: rowRange(sheetId, row), fields: FIELDS },
})

/** Deletes rows, the last first: those below move up. */
export const deleteRows = (sheetId: number, rows: readonly number[]): Json[] =>
  rows
    .toSorted((a, b) => b - a)
    .map((row) => ({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex: row - 1, endIndex: row } },
    }))

const rowRange = (sheetId: number, row: number) => ({ sheetId, startRowIndex: row - 1, endRowIndex: row })

/** What our marks are called; other programs' marks are none of our business. */
const MARK = 'parley'

/** Leaves a mark. A spreadsheet has each id once: a batch that brings one a second time is refused as a whole. */
export const leaveMark = (metadataId: number, value: string): Json => ({
  createDeveloperMetadata: {
    developerMetadata: {
      metadataId,
      metadataKey: MARK,
      metadataValue: value,
      location: { spreadsheet: true },
      visibility: 'PROJECT',
    },
  },
})

/** Takes a mark away again. */
export const takeMark = (metadataId: number): Json => ({
  deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId, metadataKey: MARK } } },
})
