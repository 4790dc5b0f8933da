import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Cell, Row } from '../sections/section'
import type { Table } from './parts'

/** As the format allows: rows of a sheet, which go on in another one, and characters of a cell, which are cut. */
const MOST_ROWS = 1_048_576
const MOST_CHARACTERS = 32_767

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * Tables as a workbook (ECMA-376), a sheet each, written while it is sent: texts stand in their cells, so that no list
 * of texts is kept. A text is never a formula.
 * @param mostRows smaller in tests
 */
export function xlsxOf(tables: readonly Table[], mostRows = MOST_ROWS): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  write(zip, tables, mostRows).catch((error: Error) => out.destroy(error))
  return out
}

async function write(zip: ZipFile, tables: readonly Table[], mostRows: number): Promise<void> {
  const names: string[] = []
  for (const table of tables) {
    const batches = table.read()
    /** rows that the sheet before had no room for */
    let left: Row[] = []
    for (let more = true; more; ) {
      const number = names.length + 1
      names.push(sheetName(table.name, names))
      const sheet = new SheetWriter(table, batches, left, mostRows)
      // one entry at a time: the next sheet begins where this one has ended
      await new Promise<void>((resolve, reject) => {
        const source = Readable.from(sheet.write())
        source.once('end', resolve).once('error', reject)
        zip.addReadStream(source, `xl/worksheets/sheet${number}.xml`)
      })
      left = sheet.left
      more = left.length > 0
    }
  }
  addParts(zip, names)
  zip.end()
}

/** Writes rows until the sheet is full. */
class SheetWriter {
  left: Row[]

  constructor(
    private readonly table: Table,
    private readonly batches: AsyncGenerator<Row[]>,
    left: Row[],
    private readonly mostRows: number,
  ) {
    this.left = left
  }

  async *write(): AsyncGenerator<string> {
    const { columns } = this.table
    yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
    yield rowOf(columns)
    let room = this.mostRows - 1
    while (room > 0) {
      if (this.left.length === 0) {
        const next = await this.batches.next()
        if (next.done) break
        this.left = next.value
      }
      const rows = this.left.slice(0, room)
      this.left = this.left.slice(rows.length)
      room -= rows.length
      yield rows.map((row) => rowOf(columns.map((column) => row[column] ?? null))).join('')
    }
    if (this.left.length === 0) {
      const next = await this.batches.next()
      if (!next.done) this.left = next.value
    }
    yield '</sheetData></worksheet>'
  }
}

const rowOf = (cells: readonly Cell[]): string => `<row>${cells.map(cellOf).join('')}</row>`

function cellOf(value: Cell): string {
  if (value === null || value === '') return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${Number(value)}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(value.slice(0, MOST_CHARACTERS))}</t></is></c>`
}

/** Without the characters that XML 1.0 does not have. */
const xmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** At most 31 characters, and unique. */
function sheetName(wanted: string, taken: readonly string[]): string {
  const name = wanted.slice(0, 25)
  for (let number = 2; ; number++) {
    const tried = number === 2 ? name : `${name} ${number - 1}`
    if (!taken.includes(tried)) return tried
  }
}

/** The parts of the package beside its sheets. */
function addParts(zip: ZipFile, names: readonly string[]): void {
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(HEAD + xml), path)
  const each = (write: (name: string, number: number) => string) =>
    names.map((name, at) => write(name, at + 1)).join('')
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each(
      (name, number) => `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="rId${number}"/>`,
    )}</sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${each(
      (_, number) =>
        `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
    )}</Relationships>`,
  )
  add(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  add(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>${each(
      (_, number) =>
        `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`,
    )}</Types>`,
  )
}
