import type { EvaluationBody } from '../../../server/contracts/evaluations'

/** Means "not in the sources". */
const UNKNOWN = '?'

/**
 * Parses lines into questions: `question`, or `question | words, that the answer must contain`, or `question | ?` if
 * the sources don't contain the answer. A tab works like the bar, so that two columns of a sheet can be pasted. Empty
 * lines are skipped.
 * @returns each with its line number, from 1
 */
export function readLines(text: string): { line: number; body: EvaluationBody }[] {
  return text.split('\n').flatMap((raw, at) => {
    const [question = '', ...rest] = raw.split(/[|\t]/)
    const expected = rest.join(' ').trim()
    if (raw.trim() === '') return []
    const unknown = expected === UNKNOWN
    const words = unknown
      ? []
      : expected
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '')
    return [{ line: at + 1, body: { question: question.trim(), words, source: null, unknown } }]
  })
}
