import type { RecordKind } from '../pages/records'
import { columnName } from './a1'
import { enterCell, renderCell } from './cells'
import { refuseGoogle } from './errors'
import { deleteRows, insertRows, putCell, type Sheet, type Spreadsheet, usedRows } from './spreadsheet'
import type { GoogleState } from './state'

/** @returns a page of all spreadsheets, and one for each tab */
export function googleKinds(state: GoogleState): RecordKind[] {
  const all = [...state.spreadsheets.values()]
  return [spreadsheets(state), ...all.flatMap((one) => one.sheets.map((sheet) => rows(state, one, sheet)))]
}

const spreadsheets = (state: GoogleState): RecordKind => ({
  key: 'spreadsheets',
  title: 'Spreadsheets',
  columns: [
    { name: 'title', label: 'Name' },
    { name: 'header', label: 'Columns of the first tab, with commas' },
    { name: 'tabs', label: 'Tabs', isFixed: true },
  ],
  empty: 'There is no spreadsheet yet.',
  rows: () =>
    [...state.spreadsheets.values()].map(({ id, title, sheets }) => ({
      id,
      values: {
        title,
        header: headerOf(sheets[0]).join(', '),
        tabs: sheets.map((sheet) => sheet.title).join(', '),
      },
    })),
  add({ title = '', header = '' }) {
    if (title.trim() === '') throw refuseGoogle(400, 'Give the spreadsheet a name.')
    state.addSpreadsheet({ title: title.trim(), tabs: { Sheet1: [splitHeader(header)] }, picked: true })
  },
  change(id, { title = '', header = '' }) {
    const spreadsheet = state.spreadsheets.get(id)
    if (title.trim() === '') throw refuseGoogle(400, 'Give the spreadsheet a name.')
    if (!spreadsheet) throw refuseGoogle(404, 'This spreadsheet is no longer there.')
    spreadsheet.title = title.trim()
    const [first] = spreadsheet.sheets
    if (!first) return
    const names = splitHeader(header)
    const width = Math.max(names.length, headerOf(first).length)
    for (let at = 0; at < width; at += 1) putCell(first, 0, at, enterCell(names[at], 'RAW'))
  },
  remove: (id) => void state.spreadsheets.delete(id),
})

function rows(state: GoogleState, { id, title }: Spreadsheet, { sheetId, title: tab }: Sheet): RecordKind {
  // a write of the API replaces the spreadsheet, so it is looked up each time
  const sheet = (): Sheet => {
    const found = state.spreadsheets.get(id)?.sheets.find((other) => other.sheetId === sheetId)
    if (!found) throw refuseGoogle(404, 'This tab is no longer there.')
    return found
  }
  const width = () => Math.max(1, headerOf(sheet()).length)
  const write = (row: number, values: Record<string, string>) => {
    for (let at = 0; at < width(); at += 1) putCell(sheet(), row, at, enterCell(values[columnName(at)], 'USER_ENTERED'))
  }
  return {
    key: `${id}-${sheetId}`,
    title: `${title}: ${tab}`,
    columns: Array.from({ length: width() }, (_, at) => ({
      name: columnName(at),
      label: headerOf(sheet())[at] || `Column ${columnName(at)}`,
    })),
    empty: 'There is no row yet below the header.',
    rows: () =>
      Array.from({ length: Math.max(0, usedRows(sheet()) - 1) }, (_, at) => ({
        id: String(at + 1),
        values: Object.fromEntries(
          Array.from({ length: width() }, (_none, column) => [
            columnName(column),
            String(renderCell(sheet().rows[at + 1]?.[column] ?? null, 'FORMULA')),
          ]),
        ),
      })),
    add(values) {
      const spreadsheet = state.spreadsheets.get(id)
      const row = Math.max(1, usedRows(sheet()))
      if (spreadsheet && row >= sheet().rowCount) insertRows(spreadsheet, sheet(), row, 1)
      write(row, values)
    },
    change: (row, values) => write(Number(row), values),
    remove(row) {
      const spreadsheet = state.spreadsheets.get(id)
      if (spreadsheet) deleteRows(spreadsheet, sheet(), Number(row), Number(row) + 1)
    },
  }
}

const headerOf = (sheet: Sheet | undefined): string[] =>
  (sheet?.rows[0] ?? []).map((cell) => String(renderCell(cell, 'FORMULA')))

const splitHeader = (header: string): string[] => header.split(',').map((name) => name.trim())
