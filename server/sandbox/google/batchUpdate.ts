import { fieldsOf } from '../call'
import type { SeededRandom } from '../seededRandom'
import { CELL_LIMIT, type ExtendedValue, fromExtended } from './cells'
import { refuseGoogle } from './errors'
import {
  createMetadata,
  type DataFilter,
  findMetadata,
  type MetadataInput,
  presentMetadata,
  requireRoom,
} from './metadata'
import { presentSheet } from './present'
import {
  deleteColumns,
  deleteRows,
  insertColumns,
  insertRows,
  NEW_GRID,
  putCell,
  type Sheet,
  type Spreadsheet,
  usedRows,
} from './spreadsheet'

interface RowData {
  values?: { userEnteredValue?: ExtendedValue }[]
}
interface DimensionRange {
  sheetId?: number
  dimension?: string
  startIndex?: number
  endIndex?: number
}
interface GridRange {
  sheetId?: number
  startRowIndex?: number
  endRowIndex?: number
  startColumnIndex?: number
  endColumnIndex?: number
}
interface SheetFields {
  sheetId?: number
  title?: string
  gridProperties?: { rowCount?: number; columnCount?: number }
}

/**
 * `POST spreadsheets/{id}:batchUpdate`: all of it or nothing.
 * @returns the changed spreadsheet, which replaces the one before, and what is answered
 */
export function batchUpdate(before: Spreadsheet, body: unknown, random: SeededRandom) {
  const requests = (fieldsOf(body).requests ?? []) as Record<string, unknown>[]
  if (requests.length === 0) throw refuseGoogle(400, 'Must specify at least one request.')
  const spreadsheet = structuredClone(before)
  const replies = requests.map((request, at) => {
    const [name, ...others] = Object.keys(request)
    const carryOut = name !== undefined && others.length === 0 ? REQUESTS[name] : undefined
    if (!carryOut)
      throw refuseGoogle(400, `Invalid requests[${at}]: the stand-in carries out no ${name ?? 'empty'} request`)
    return carryOut({ spreadsheet, fields: fieldsOf(request[name as string]), random, at })
  })
  return { spreadsheet, answer: { spreadsheetId: spreadsheet.id, replies } }
}

interface Work {
  spreadsheet: Spreadsheet
  fields: Record<string, unknown>
  random: SeededRandom
  /** the request's place, which errors name */
  at: number
}

const REQUESTS: Readonly<Record<string, (work: Work) => object>> = {
  appendCells(work) {
    const sheet = sheetOf(work, work.fields.sheetId)
    const rows = (work.fields.rows ?? []) as RowData[]
    requireValues(work)
    const top = usedRows(sheet)
    sheet.rowCount = Math.max(sheet.rowCount, top + rows.length)
    putRows(work, sheet, top, 0, rows)
    return {}
  },
  updateCells(work) {
    const { range, start } = work.fields as { range?: GridRange; start?: DimensionRange & Record<string, number> }
    const rows = (work.fields.rows ?? []) as RowData[]
    requireValues(work)
    const sheet = sheetOf(work, range ? range.sheetId : start?.sheetId)
    const top = range ? (range.startRowIndex ?? 0) : (start?.rowIndex ?? 0)
    const left = range ? (range.startColumnIndex ?? 0) : (start?.columnIndex ?? 0)
    if (range) {
      // cells of the range that no row names are emptied
      const bottom = Math.min(range.endRowIndex ?? sheet.rowCount, sheet.rows.length)
      for (let row = top; row < bottom; row += 1)
        sheet.rows[row]?.fill(null, left, range.endColumnIndex ?? sheet.columnCount)
    }
    if (top + rows.length > sheet.rowCount) throw invalid(work, 'Attempting to write row beyond the last requested row')
    putRows(work, sheet, top, left, rows)
    return {}
  },
  deleteDimension(work) {
    const { sheet, isRows, from, to } = dimensionOf(work)
    if (to > (isRows ? sheet.rowCount : sheet.columnCount))
      throw invalid(work, `Cannot delete ${isRows ? 'a row' : 'a column'} that does not exist`)
    if (to - from >= (isRows ? sheet.rowCount : sheet.columnCount))
      throw invalid(work, 'You can’t delete all the rows or columns on the sheet.')
    ;(isRows ? deleteRows : deleteColumns)(work.spreadsheet, sheet, from, to)
    return {}
  },
  insertDimension(work) {
    const { sheet, isRows, from, to } = dimensionOf(work)
    if (from > (isRows ? sheet.rowCount : sheet.columnCount)) throw invalid(work, 'startIndex is beyond the grid')
    ;(isRows ? insertRows : insertColumns)(work.spreadsheet, sheet, from, to - from)
    return {}
  },
  appendDimension(work) {
    const sheet = sheetOf(work, work.fields.sheetId)
    const length = Number(work.fields.length ?? 0)
    if (work.fields.dimension === 'COLUMNS') sheet.columnCount += length
    else sheet.rowCount += length
    return {}
  },
  addSheet(work) {
    const { title, sheetId, gridProperties } = fieldsOf(work.fields.properties) as SheetFields
    const named = title ?? `Sheet${work.spreadsheet.sheets.length + 1}`
    if (work.spreadsheet.sheets.some((sheet) => sheet.title.toLowerCase() === named.toLowerCase()))
      throw invalid(work, `A sheet with the name "${named}" already exists. Please enter another name.`)
    const sheet: Sheet = { sheetId: sheetId ?? Number(work.random.digits(9)), title: named, ...NEW_GRID, rows: [] }
    sheet.rowCount = gridProperties?.rowCount ?? sheet.rowCount
    sheet.columnCount = gridProperties?.columnCount ?? sheet.columnCount
    work.spreadsheet.sheets.push(sheet)
    return { addSheet: presentSheet(sheet, work.spreadsheet.sheets.length - 1) }
  },
  deleteSheet(work) {
    const sheet = sheetOf(work, work.fields.sheetId)
    if (work.spreadsheet.sheets.length === 1) throw invalid(work, 'You can’t remove all the sheets in a document.')
    work.spreadsheet.sheets = work.spreadsheet.sheets.filter((other) => other !== sheet)
    work.spreadsheet.metadata = work.spreadsheet.metadata.filter(
      ({ place }) => place.kind === 'SPREADSHEET' || place.sheetId !== sheet.sheetId,
    )
    return {}
  },
  updateSheetProperties(work) {
    const { title, sheetId } = fieldsOf(work.fields.properties) as SheetFields
    const sheet = sheetOf(work, sheetId)
    if (
      String(work.fields.fields ?? '')
        .split(',')
        .some((field) => field.trim() === 'title' || field.trim() === '*')
    )
      sheet.title = title ?? sheet.title
    return {}
  },
  createDeveloperMetadata({ spreadsheet, fields, random }) {
    const added = createMetadata(spreadsheet, fieldsOf(fields.developerMetadata) as MetadataInput, random)
    return { createDeveloperMetadata: { developerMetadata: presentMetadata(added) } }
  },
  updateDeveloperMetadata({ spreadsheet, fields }) {
    const found = findMetadata(spreadsheet, (fields.dataFilters ?? []) as DataFilter[])
    const { metadataKey, metadataValue } = fieldsOf(fields.developerMetadata) as MetadataInput
    const mask = String(fields.fields ?? '').split(',')
    for (const note of found) {
      if (metadataKey !== undefined && (mask.includes('metadataKey') || mask.includes('*')))
        note.metadataKey = metadataKey
      if (metadataValue !== undefined && (mask.includes('metadataValue') || mask.includes('*')))
        note.metadataValue = metadataValue
      requireRoom(spreadsheet, note.place.kind === 'SPREADSHEET' ? null : note.place.sheetId)
    }
    return { updateDeveloperMetadata: { developerMetadata: found.map(presentMetadata) } }
  },
  deleteDeveloperMetadata({ spreadsheet, fields }) {
    const found = findMetadata(spreadsheet, [fieldsOf(fields.dataFilter) as DataFilter])
    spreadsheet.metadata = spreadsheet.metadata.filter((note) => !found.includes(note))
    return { deleteDeveloperMetadata: { deletedDeveloperMetadata: found.map(presentMetadata) } }
  },
}

const invalid = ({ at }: Work, message: string) => refuseGoogle(400, `Invalid requests[${at}]: ${message}`)

function sheetOf(work: Work, sheetId: unknown): Sheet {
  const id = Number(sheetId ?? 0)
  const sheet = work.spreadsheet.sheets.find((other) => other.sheetId === id)
  if (!sheet) throw invalid(work, `No grid with id: ${id}`)
  return sheet
}

function dimensionOf(work: Work) {
  const { sheetId, dimension, startIndex = 0, endIndex } = fieldsOf(work.fields.range) as DimensionRange
  const sheet = sheetOf(work, sheetId)
  const isRows = dimension !== 'COLUMNS'
  const to = endIndex ?? (isRows ? sheet.rowCount : sheet.columnCount)
  if (startIndex < 0 || to <= startIndex) throw invalid(work, 'endIndex must be above startIndex')
  return { sheet, isRows, from: startIndex, to }
}

/** Only values are kept of cells, so only they can be written. */
function requireValues(work: Work): void {
  const fields = String(work.fields.fields ?? '')
  if (fields === '')
    throw invalid(work, "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
  if (fields !== '*' && !fields.split(',').some((field) => field.trim().startsWith('userEnteredValue')))
    throw invalid(work, `the stand-in keeps only userEnteredValue of cells, not ${fields}`)
}

function putRows(work: Work, sheet: Sheet, top: number, left: number, rows: readonly RowData[]): void {
  rows.forEach(({ values = [] }, down) => {
    if (left + values.length > sheet.columnCount)
      throw invalid(
        work,
        `Attempting to write column: ${left + values.length}, beyond the last column: ${sheet.columnCount}`,
      )
    values.forEach(({ userEnteredValue }, along) => {
      const cell = fromExtended(userEnteredValue)
      if (typeof cell === 'string' && cell.length > CELL_LIMIT)
        throw invalid(work, `Your input contains more than the maximum of ${CELL_LIMIT} characters in a single cell.`)
      putCell(sheet, top + down, left + along, cell)
    })
  })
}
