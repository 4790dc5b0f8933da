import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { type Entry, type ExchangedText, exchangeCaps, type ReadFile, UnreadableFile } from './entries'

const COLUMNS = ['id', 'flow', 'group', 'block', 'field'] as const

/**
 * A table of all texts: their ids, the main text, and a column for each language (by its code). A cell that a
 * spreadsheet would take for a formula begins with an apostrophe, which is removed when reading.
 * @param main the code of the main language
 */
export function writeCsv(texts: readonly ExchangedText[], main: string, languages: readonly string[]): string {
  const rows = texts.map(({ flow, id, flowTitle, group, block, field, main, translations }) => [
    flow === null ? id : `${flow}/${id}`,
    ...[flowTitle, group, block, field, main],
    ...languages.map((code) => translations.get(code)?.text ?? ''),
  ])
  // the byte order mark makes spreadsheets read it as UTF-8
  return `\uFEFF${[[...COLUMNS, main, ...languages], ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

const FORMULA = /^'*[=+\-@\t\r]/
const cell = (value: string): string => {
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
const bare = (value: string): string => (value.startsWith("'") && FORMULA.test(value) ? value.slice(1) : value)

/**
 * Parses such a table, with commas, semicolons or tabs between its cells. Empty cells are no translations.
 * @throws UnreadableFile for anything else, or if it is too large
 */
export function readCsv(source: string, main: string): ReadFile {
  const records = recordsOf(source)
  const [head = []] = records
  const names = head.map((name) => name.trim().toLowerCase())
  const at = names.indexOf('id')
  const mainAt = names.indexOf(main)
  const languages = names.flatMap((code, column) =>
    code === '' || column === at || column === mainAt || (COLUMNS as readonly string[]).includes(code)
      ? []
      : [{ code, column }],
  )
  if (at < 0 || languages.length === 0)
    throw new UnreadableFile(
      'The first line must name the column “id” and a column for each language, such as “pt-br”.',
    )
  const entries: Entry[] = []
  for (const record of records.slice(1)) {
    const [first = '', ...rest] = (record[at] ?? '').trim().split('/')
    if (first === '') continue
    const named = rest.length > 0 ? { flow: first, id: rest.join('/') } : { flow: null, id: first }
    for (const { code, column } of languages) {
      const text = bare(record[column] ?? '')
      if (text.trim() === '') continue
      if (entries.length >= exchangeCaps.entries)
        throw new UnreadableFile(`It has more than ${exchangeCaps.entries} translations; split it into several files.`)
      const beside = mainAt < 0 ? null : bare(record[mainAt] ?? '')
      entries.push({ ...named, language: code, main: beside, text: lines(text) })
    }
  }
  return { entries, problems: [] }
}

const lines = (text: string): string => text.replaceAll('\r\n', '\n')

function recordsOf(source: string): string[][] {
  try {
    return parse(source, {
      bom: true,
      delimiter: delimiterOf(source),
      relaxColumnCount: true,
      skipEmptyLines: true,
      maxRecordSize: exchangeCaps.text * 100,
    }) as string[][]
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(`It could not be read as CSV: ${error.message}.`)
    throw error
  }
}

function delimiterOf(source: string): string {
  const head = source.slice(0, 10_000).split('\n', 1)[0] ?? ''
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0] ?? ','
}
