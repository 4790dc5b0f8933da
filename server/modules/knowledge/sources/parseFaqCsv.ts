import { CsvError, parse } from 'csv-parse/sync'
import { firstProblem } from '../../../../engine/values/issues'
import { type Faq, faqSchema, sourceCaps } from '../../../contracts/sources'

export interface WrongLine {
  line: number
  message: string
}
export interface ParsedFaqs {
  entries: Faq[]
  wrong: WrongLine[]
}

const COLUMNS = ['question', 'answer', 'phrasings']
const PHRASINGS = '|'
/** The most broken lines: each makes the parser start again. */
const MOST_BROKEN = 20

interface CsvRecord {
  record: string[]
  /** its first line */
  line: number
}

/**
 * Parses entries from a CSV whose first line names its columns, in any order and case, separated by commas, semicolons
 * or tabs. Problems are listed by line number, as an editor shows it; valid entries are returned anyway.
 * @param present existing questions
 */
export function parseFaqCsv(csv: string, present: ReadonlySet<string>): ParsedFaqs {
  const wrong: WrongLine[] = []
  const records = recordsOf(csv, wrong)
  const names = (records.shift()?.record ?? []).map((name) => name.trim().toLowerCase())
  const unknown = names.filter((name) => name !== '' && !COLUMNS.includes(name))
  if (!names.includes('question') || !names.includes('answer')) {
    const said = csv.trim() === '' ? 'The file is empty.' : `It says: ${names.join(', ').slice(0, 200) || 'nothing'}.`
    return {
      entries: [],
      wrong: [{ line: 1, message: `The first line must name the columns question and answer. ${said}` }],
    }
  }
  if (unknown.length > 0) {
    const message = `Unused columns: ${unknown.join(', ').slice(0, 200)}.`
    wrong.push({ line: 1, message })
  }
  const entries: Faq[] = []
  const lineOf = new Map<string, number>()
  for (const { record, line } of records) {
    const cell = (name: string) => record[names.indexOf(name)]?.trim() ?? ''
    if (record.every((value) => value.trim() === '')) continue
    const problem = problemOf(record, names, cell('question'), lineOf, present)
    const read = faqSchema.safeParse({
      question: cell('question'),
      answer: cell('answer'),
      phrasings: cell('phrasings')
        .split(PHRASINGS)
        .map((text) => text.trim())
        .filter(Boolean),
    })
    if (problem) wrong.push({ line, message: problem })
    else if (!read.success) wrong.push({ line, message: firstProblem(read.error.issues) })
    else if (entries.length >= sourceCaps.csvLines) {
      wrong.push({
        line,
        message: `A file may have ${sourceCaps.csvLines.toLocaleString('en')} entries: import the rest as another one.`,
      })
      break
    } else {
      entries.push(read.data)
      lineOf.set(sameQuestion(cell('question')), line)
    }
  }
  return { entries, wrong: wrong.sort((one, other) => one.line - other.line) }
}

/** A key that ignores case and whitespace. */
export const sameQuestion = (question: string): string => question.trim().replace(/\s+/g, ' ').toLowerCase()

function problemOf(
  record: readonly string[],
  names: readonly string[],
  question: string,
  lineOf: ReadonlyMap<string, number>,
  present: ReadonlySet<string>,
): string | null {
  if (record.length > names.length) {
    return `It has ${record.length} columns, the first line names ${names.length}. Put texts that hold the separator in quotation marks.`
  }
  const first = lineOf.get(sameQuestion(question))
  if (first !== undefined) return `The same question stands in line ${first}.`
  return present.has(sameQuestion(question)) ? 'This question is there already: change that entry instead.' : null
}

/** Separates records; after a line with broken quotation marks, parsing continues with the next one. */
function recordsOf(csv: string, wrong: WrongLine[]): CsvRecord[] {
  const lines = csv.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const delimiter = delimiterOf(lines.join('\n'))
  const filled = nextFilled(lines)
  const records: CsvRecord[] = []
  let next = 0
  for (let broken = 0; next < lines.length; ) {
    const begun = next
    const error = read(lines.slice(begun).join('\n'), delimiter, (record, end) => {
      records.push({ record, line: (filled[next] ?? next) + 1 })
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
  return records
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
function delimiterOf(csv: string): string {
  const first = csv.replace(/"(?:[^"]|"")*"/g, '').split(/\r\n|\r|\n/, 1)[0] ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

function explain({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return 'A quotation mark is opened and never closed: what follows it could not be read. Close it, or write two of them for one.'
  }
  return 'Its quotation marks are broken: put the whole text in quotation marks, and write two of them for one within.'
}
