import { gzipSync } from 'node:zlib'
import { cleanText } from '../../../../engine/values/cleanText'
import { type ImportColumn, importCaps } from '../../../contracts/contactImports'
import { readRecords, type WrongLine } from '../../../platform/csv/readRecords'
import { decodeText } from './decodeText'

/** A row of a file: its cells as they stand there, and the line on which it begins. */
export interface ImportRow {
  line: number
  cells: string[]
}
export interface ParsedContacts {
  encoding: string
  separator: string
  columns: ImportColumn[]
  rows: number
  /** lines that can't be read */
  wrong: WrongLine[]
  /** rows as JSON, compressed */
  parts: Uint8Array[]
}

/** Rows and characters of a part, which is written in one transaction. */
const PART = { rows: 500, characters: 250_000 } as const
const SAMPLES = 3
const LONGEST_SAMPLE = 80
const LONGEST_NAME = 100
/** A little above every field's cap: what is longer is refused all the same. */
const LONGEST_CELL = 3_200

/**
 * Parses a CSV of contacts, whose first line names the columns. Foreign bytes: call it in a thread.
 * @returns what is wrong with the whole file instead, and what to do
 */
export function parseContactsCsv(bytes: Uint8Array): ParsedContacts | { problem: string } {
  if (bytes.length === 0) return { problem: 'The file is empty.' }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    return { problem: 'This is a workbook: save it as CSV, and choose that file.' }
  const { text, encoding } = decodeText(bytes)
  if (text.includes('\0')) return { problem: 'This is no text file. Choose a CSV file.' }
  const { records, wrong, delimiter } = readRecords(text, [',', ';', '\t', '|'])
  const names = records.shift()?.record.map((name) => cleanText(name).trim().slice(0, LONGEST_NAME)) ?? []
  if (names.every((name) => name === '')) return { problem: 'The first line must name the columns.' }
  if (names.length > importCaps.columns)
    return { problem: `A file may have ${importCaps.columns} columns; this one has ${names.length}. Delete some.` }
  const rows: ImportRow[] = []
  for (const { record, line } of records) {
    if (record.every((cell) => cell.trim() === '')) continue
    if (record.length > names.length) wrong.push({ line, message: tooMany(record.length, names.length) })
    else rows.push({ line, cells: record.map(plainCell) })
  }
  if (rows.length > importCaps.rows) {
    const most = importCaps.rows.toLocaleString('en')
    return {
      problem: `A file may have ${most} rows; this one has ${rows.length.toLocaleString('en')}. Import it in parts.`,
    }
  }
  const columns = names.map((name, at) => ({ name: name || `Column ${at + 1}`, sample: samplesOf(rows, at) }))
  wrong.sort((one, other) => one.line - other.line)
  return { encoding, separator: delimiter, columns, rows: rows.length, wrong, parts: partsOf(rows) }
}

/** A cell without the apostrophe that exports write before what a spreadsheet would calculate (engine/values/csv). */
const plainCell = (cell: string): string => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell).slice(0, LONGEST_CELL)

const tooMany = (cells: number, columns: number): string =>
  `It has ${cells} cells, the first line names ${columns} columns. Put texts that hold the separator in quotation marks.`

const samplesOf = (rows: readonly ImportRow[], column: number): string[] =>
  rows
    .slice(0, 50)
    .flatMap(
      ({ cells }) =>
        cleanText(cells[column] ?? '')
          .trim()
          .slice(0, LONGEST_SAMPLE) || [],
    )
    .slice(0, SAMPLES)

function partsOf(rows: readonly ImportRow[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let part: ImportRow[] = []
  let characters = 0
  const close = () => {
    if (part.length > 0) parts.push(gzipSync(JSON.stringify(part)))
    part = []
    characters = 0
  }
  for (const row of rows) {
    const length = row.cells.reduce((sum, cell) => sum + cell.length, 0)
    if (part.length === PART.rows || characters + length > PART.characters) close()
    part.push(row)
    characters += length
  }
  close()
  return parts
}
