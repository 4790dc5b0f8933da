import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportFormat } from '../../../contracts/exports'
import type { Table } from './parts'
import { csvOf, jsonLinesOf } from './text'
import { xlsxOf } from './xlsx'

export interface Download {
  extension: string
  type: string
  bytes: Readable
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Tables as a file of a format, made while it is sent: the memory that it takes does not grow with the rows. */
export function downloadOf(tables: readonly Table[], format: ExportFormat): Download {
  if (format === 'xlsx') return { extension: 'xlsx', type: XLSX, bytes: xlsxOf(tables) }
  if (format === 'jsonl')
    return { extension: 'jsonl', type: 'application/x-ndjson', bytes: Readable.from(jsonLinesOf(tables)) }
  const [table] = tables
  if (table && tables.length === 1)
    return { extension: 'csv', type: 'text/csv; charset=utf-8', bytes: Readable.from(csvOf(table)) }
  return { extension: 'zip', type: 'application/zip', bytes: zipOf(tables) }
}

/** A CSV file for each table. */
function zipOf(tables: readonly Table[]): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  for (const table of tables) {
    const source = Readable.from(csvOf(table), { objectMode: false })
    source.on('error', (error) => out.destroy(error))
    zip.addReadStream(source, `${table.name}.csv`)
  }
  zip.end()
  return out
}
