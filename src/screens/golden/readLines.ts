import type { GoldenBody } from '../../../server/contracts/golden'

/** What stands for "not in the sources". */
const UNKNOWN = '?'

/**
 * Lines as questions: `question`, or `question | words, that have to be in the answer`, or `question | ?` for what is
 * not in the sources. A tab does what the bar does, so that two columns of a sheet can be pasted. Empty lines are
 * nothing.
 * @returns each with its line's number, as a person counts
 */
export function readLines(text: string): { line: number; body: GoldenBody }[] {
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
