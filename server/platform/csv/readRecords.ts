import { CsvError, parse } from 'csv-parse/sync'

/** What is wrong in a line, as an editor numbers it. */
export interface WrongLine {
  line: number
  message: string
}
export interface CsvRecord {
  record: string[]
  /** its first line */
  line: number
}

/** The most broken lines: each makes the parser start again. */
const MOST_BROKEN = 20
/** Characters that are looked at for the separator. */
const HEAD = 65_536

/**
 * The records of a CSV, its first line included, and the lines that are broken: after one, parsing continues with the
 * next. Foreign text: call it in a thread (platform/workers).
 * @param delimiters that may separate cells; the first line tells which does
 */
export function readRecords(
  csv: string,
  delimiters: readonly string[] = [',', ';', '\t'],
): { records: CsvRecord[]; wrong: WrongLine[]; delimiter: string } {
  const wrong: WrongLine[] = []
  const lines = csv.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const delimiter = delimiterOf(lines.join('\n').slice(0, HEAD), delimiters)
  const filled = nextFilled(lines)
  const records: CsvRecord[] = []
  let next = 0
  for (let broken = 0; next < lines.length; ) {
    const begun = next
    const error = read(lines.slice(begun).join('\n'), delimiter, (record, end) => {
      // spaces alone: people see a blank line
      const isBlank = record.length === 1 && record[0]?.trim() === ''
      if (!isBlank) records.push({ record, line: (filled[next] ?? next) + 1 })
      next = begun + end
    })
    if (!error) break
    next = filled[next] ?? next
    wrong.push({ line: next + 1, message: explain(error) })
    next++
    if (++broken === MOST_BROKEN) {
      wrong.push({ line: next + 1, message: 'Too many invalid lines: the rest was not read.' })
      break
    }
  }
  return { records, wrong, delimiter }
}

/** For each line the next non-blank one from it on; past the end if there is none. */
function nextFilled(lines: readonly string[]): number[] {
  const filled: number[] = Array(lines.length)
  for (let at = lines.length - 1; at >= 0; at--)
    filled[at] = lines[at]?.trim() === '' ? (filled[at + 1] ?? lines.length) : at
  return filled
}

/**
 * @param onRecord called with a record, and the number of lines parsed so far. @returns the error that ended parsing
 */
function read(csv: string, delimiter: string, onRecord: (record: string[], lines: number) => void): CsvError | null {
  try {
    parse(csv, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(record: string[], { lines }) {
        onRecord(record, lines)
        return null
      },
    })
    return null
  } catch (error) {
    if (error instanceof CsvError) return error
    throw error
  }
}

/** The delimiter that the first line has most of, outside quotation marks. */
function delimiterOf(csv: string, delimiters: readonly string[]): string {
  const first = csv.replace(/"(?:[^"]|"")*"/g, '').split(/\r\n|\r|\n/, 1)[0] ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

function explain({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return 'A quotation mark is opened and never closed: what follows it could not be read. Close it, or write two of them for one.'
  }
  return 'Its quotation marks are broken: put the whole text in quotation marks, and write two of them for one within.'
}
