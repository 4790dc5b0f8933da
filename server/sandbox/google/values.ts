import { type Call, fieldsOf, many, one } from '../call'
import { type Area, beyondGrid, readA1, writeA1 } from './a1'
import { CELL_LIMIT, enterCell, type Render, renderCell } from './cells'
import { refuseGoogle } from './errors'
import { cellAt, insertRows, isEmptyRow, putCell, type Sheet, type Spreadsheet } from './spreadsheet'

interface ValueRange {
  range?: string
  majorDimension?: string
  values?: unknown[][]
}

/** `GET values/{range}` */
export function getValues(spreadsheet: Spreadsheet, range: string, query: Call['query']) {
  const area = readA1(spreadsheet, range)
  const render = (one(query.valueRenderOption) ?? 'FORMATTED_VALUE') as Render
  const isColumns = one(query.majorDimension) === 'COLUMNS'
  const rows = readArea(area, render)
  const values = isColumns ? trim(transpose(rows)) : trim(rows)
  return {
    range: writeA1(area),
    majorDimension: isColumns ? 'COLUMNS' : 'ROWS',
    ...(values.length > 0 && { values }),
  }
}

/** `GET values:batchGet` */
export function batchGetValues(spreadsheet: Spreadsheet, query: Call['query']) {
  const valueRanges = many(query.ranges).map((range) => getValues(spreadsheet, range, query))
  return { spreadsheetId: spreadsheet.id, valueRanges }
}

/** `PUT values/{range}` */
export function updateValues(spreadsheet: Spreadsheet, range: string, query: Call['query'], body: unknown) {
  const option = requireOption(one(query.valueInputOption))
  return writeValues(spreadsheet, range, fieldsOf(body) as ValueRange, option, one(query.includeValuesInResponse))
}

/** `POST values:batchUpdate` */
export function batchUpdateValues(spreadsheet: Spreadsheet, body: unknown) {
  const {
    data = [],
    valueInputOption,
    includeValuesInResponse,
  } = fieldsOf(body) as {
    data?: ValueRange[]
    valueInputOption?: string
    includeValuesInResponse?: boolean
  }
  const option = requireOption(valueInputOption)
  const responses = data.map((part) =>
    writeValues(spreadsheet, part.range ?? '', part, option, String(includeValuesInResponse ?? false)),
  )
  const sum = (name: 'updatedRows' | 'updatedColumns' | 'updatedCells') =>
    responses.reduce((total, response) => total + response[name], 0)
  return {
    spreadsheetId: spreadsheet.id,
    totalUpdatedRows: sum('updatedRows'),
    totalUpdatedColumns: sum('updatedColumns'),
    totalUpdatedCells: sum('updatedCells'),
    totalUpdatedSheets: new Set(responses.map(({ updatedRange }) => updatedRange.split('!')[0])).size,
    responses,
  }
}

/** `POST values/{range}:clear` */
export function clearValues(spreadsheet: Spreadsheet, range: string) {
  const area = readA1(spreadsheet, range)
  for (let row = area.top; row < Math.min(area.bottom, area.sheet.rows.length); row += 1)
    area.sheet.rows[row]?.fill(null, area.left, area.right)
  return { spreadsheetId: spreadsheet.id, clearedRange: writeA1(area) }
}

/** `POST values:batchClear` */
export function batchClearValues(spreadsheet: Spreadsheet, body: unknown) {
  const { ranges = [] } = fieldsOf(body) as { ranges?: string[] }
  return {
    spreadsheetId: spreadsheet.id,
    clearedRanges: ranges.map((range) => clearValues(spreadsheet, range).clearedRange),
  }
}

/** `POST values/{range}:append`: below the table that the range touches, or at the range if it touches none */
export function appendValues(spreadsheet: Spreadsheet, range: string, query: Call['query'], body: unknown) {
  const option = requireOption(one(query.valueInputOption))
  const { values = [] } = fieldsOf(body) as ValueRange
  const area = readA1(spreadsheet, range)
  const table = findTable(area)
  const { sheet } = area
  const top = table ? table.bottom : area.top
  const left = table ? table.left : area.left
  if (one(query.insertDataOption) === 'INSERT_ROWS' && top < sheet.rowCount)
    insertRows(spreadsheet, sheet, top, values.length)
  sheet.rowCount = Math.max(sheet.rowCount, top + values.length)
  const width = Math.max(1, ...values.map((row) => row.length))
  sheet.columnCount = Math.max(sheet.columnCount, left + width)
  const target = writeA1({ sheet, top, left, bottom: top + Math.max(1, values.length), right: left + width })
  const updates = writeValues(spreadsheet, target, { values }, option, one(query.includeValuesInResponse))
  return { spreadsheetId: spreadsheet.id, ...(table && { tableRange: writeA1(table) }), updates }
}

/** @returns the last block of rows without an empty one between that the area touches */
function findTable({ sheet, top, bottom }: Area): Area | null {
  let last = Math.min(bottom, sheet.rows.length) - 1
  while (last >= top && isEmptyRow(sheet, last)) last -= 1
  if (last < top) return null
  let end = last + 1
  while (end < sheet.rows.length && !isEmptyRow(sheet, end)) end += 1
  let start = last
  while (start > 0 && !isEmptyRow(sheet, start - 1)) start -= 1
  const rows = sheet.rows.slice(start, end)
  const filled = rows.flatMap((row) => row.flatMap((cell, column) => (cell === null ? [] : [column])))
  return { sheet, top: start, bottom: end, left: Math.min(...filled), right: Math.max(...filled) + 1 }
}

function writeValues(
  spreadsheet: Spreadsheet,
  range: string,
  { values = [], majorDimension }: ValueRange,
  option: string,
  includes?: string,
) {
  const area = readA1(spreadsheet, range)
  const rows = majorDimension === 'COLUMNS' ? transpose(values) : values
  const isOpen = area.bottom - area.top === 1 && area.right - area.left === 1
  const width = Math.max(0, ...rows.map((row) => row.length))
  const end = { bottom: area.top + rows.length, right: area.left + width }
  if (end.bottom > area.sheet.rowCount || end.right > area.sheet.columnCount)
    throw beyondGrid(area.sheet, writeA1({ ...area, ...end }))
  if (!isOpen && (end.bottom > area.bottom || end.right > area.right))
    throw refuseGoogle(400, `Requested writing within range [${range}], but tried writing to row or column beyond it`)
  let cells = 0
  rows.forEach((row, down) => {
    row.forEach((value, along) => {
      // null leaves a cell as it is
      if (value === null || value === undefined) return
      enterValue(area.sheet, area.top + down, area.left + along, value, option)
      cells += 1
    })
  })
  const written = { ...area, bottom: Math.max(area.top + 1, end.bottom), right: Math.max(area.left + 1, end.right) }
  return {
    spreadsheetId: spreadsheet.id,
    updatedRange: writeA1(written),
    updatedRows: rows.length,
    updatedColumns: width,
    updatedCells: cells,
    ...(includes === 'true' && { updatedData: getValues(spreadsheet, writeA1(written), {}) }),
  }
}

function enterValue(sheet: Sheet, row: number, column: number, value: unknown, option: string): void {
  const cell = enterCell(value, option)
  if (typeof cell === 'string' && cell.length > CELL_LIMIT)
    throw refuseGoogle(400, `Your input contains more than the maximum of ${CELL_LIMIT} characters in a single cell.`)
  putCell(sheet, row, column, cell)
}

function requireOption(option: string | undefined): string {
  if (option === 'RAW' || option === 'USER_ENTERED') return option
  throw refuseGoogle(400, "'valueInputOption' is required but not specified")
}

function readArea({ sheet, top, left, bottom, right }: Area, render: Render): unknown[][] {
  const last = Math.min(bottom, sheet.rows.length)
  return Array.from({ length: Math.max(0, last - top) }, (_, down) =>
    Array.from({ length: Math.min(right, sheet.rows[top + down]?.length ?? 0) - left }, (_, along) =>
      renderCell(cellAt(sheet, top + down, left + along), render),
    ),
  )
}

/** Leaves out empty cells at the ends of rows, and empty rows at the end. */
function trim(rows: unknown[][]): unknown[][] {
  const trimmed = rows.map((row) => {
    let length = row.length
    while (length > 0 && (row[length - 1] === '' || row[length - 1] === undefined)) length -= 1
    return row.slice(0, length)
  })
  while (trimmed.length > 0 && trimmed.at(-1)?.length === 0) trimmed.pop()
  return trimmed
}

const transpose = (rows: unknown[][]): unknown[][] =>
  Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, at) => rows.map((row) => row[at] ?? ''))
