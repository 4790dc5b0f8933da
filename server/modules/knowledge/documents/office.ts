import type { CellValue } from 'read-excel-file/node'
import { toMarkdown } from '../page/toMarkdown'
import { parseTree } from '../page/tree'
import { MOST_CHARACTERS } from './documentText'
import { markdownTable } from './markdownTable'
import { TooMuch, type Zip } from './unzip'

/** Words of a DOCX with its headings, lists, tables and links, without pictures. */
export async function wordMarkdown(bytes: Uint8Array): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  )
  return htmlMarkdown(value)
}

/** All that a page shows, without looking for its main part. */
export function htmlMarkdown(html: string): string {
  return toMarkdown(parseTree(html.slice(0, MOST_CHARACTERS * 2)).root)
}

/**
 * Each sheet of an XLSX as a table below its name. @throws TooMuch if it has more sheets, or a larger area between its
 * first and its last cell, than can be read
 */
export async function sheetsMarkdown(zip: Zip, bytes: Uint8Array): Promise<string> {
  await checkArea(zip)
  const { default: readSheets } = await import('read-excel-file/node')
  const sheets = await readSheets(Buffer.from(bytes))
  const tables = sheets.map(({ sheet, data }) => {
    const table = markdownTable(
      data.map((row) => row.map(cellText)),
      MOST_CHARACTERS,
    )
    return table && `## ${sheet}\n\n${table}`
  })
  return tables.filter(Boolean).join('\n\n')
}

/** Its reader takes time by the square of the sheets, and memory for each place up to the last cell. */
const MOST_SHEETS = 500
const MOST_PLACES = 20_000_000
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
/** A cell's address: “BC42”. */
const PLACE = /\br\s*=\s*["']([A-Z]{1,3})(\d{1,7})["']/g

async function checkArea(zip: Zip): Promise<void> {
  const sheets = zip.names.filter((name) => SHEET.test(name))
  if (sheets.length > MOST_SHEETS) throw new TooMuch('too many sheets')
  let places = 0
  for (const name of sheets) {
    let columns = 0
    let rows = 0
    for (const [, column = '', row] of ((await zip.read(name))?.toString('latin1') ?? '').matchAll(PLACE)) {
      columns = Math.max(columns, numberOf(column))
      rows = Math.max(rows, Number(row))
    }
    places += columns * rows
    if (places > MOST_PLACES) throw new TooMuch('cells too far apart')
  }
}

/** A: 1, Z: 26, AA: 27. */
const numberOf = (column: string): number =>
  [...column].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

/** As people see it: a date without a time is one. */
function cellText(value: CellValue | null): string {
  if (value === null) return ''
  if (!(value instanceof Date)) return String(value)
  const text = value.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}
