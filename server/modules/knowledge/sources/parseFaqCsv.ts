import { firstProblem } from '../../../../engine/values/issues'
import { type Faq, faqSchema, sourceCaps } from '../../../contracts/sources'
import { readRecords, type WrongLine } from '../../../platform/csv/readRecords'

export interface ParsedFaqs {
  entries: Faq[]
  wrong: WrongLine[]
}

const COLUMNS = ['question', 'answer', 'phrasings']
const PHRASINGS = '|'
/**
 * Parses entries from a CSV whose first line names its columns, in any order and case, separated by commas, semicolons
 * or tabs. Problems are listed by line number, as an editor shows it; valid entries are returned anyway.
 * @param present existing questions
 */
export function parseFaqCsv(csv: string, present: ReadonlySet<string>): ParsedFaqs {
  const { records, wrong } = readRecords(csv)
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
