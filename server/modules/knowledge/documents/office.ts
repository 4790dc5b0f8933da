import type { CellValue } from 'read-excel-file/node'
import { toMarkdown } from '../page/toMarkdown'
import { parseTree } from '../page/tree'
import { MOST_CHARACTERS } from './documentText'
import { markdownTable } from './markdownTable'

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

/** Each sheet of an XLSX as a table below its name. */
export async function sheetsMarkdown(bytes: Uint8Array): Promise<string> {
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

/** As people see it: a date without a time is one. */
function cellText(value: CellValue | null): string {
  if (value === null) return ''
  if (!(value instanceof Date)) return String(value)
  const text = value.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}
