import { normalText } from '../../../../engine/values/normalText'
import type { ChatAnswer, RecordedCall } from '../../../contracts/answers'
import type { EvaluationResult } from '../../../contracts/evaluations'
import { recordedFor } from '../actions/replay'

/** What a right answer must fulfil. */
export interface Expected {
  words: readonly string[]
  /** null: any source */
  source: { gid: string; title: string; isThere: boolean } | null
  unknown: boolean
  /** actions used when the question was kept, which must be used again */
  actions: readonly RecordedCall[]
}

/** Whether an answer is right, and otherwise what is wrong. */
export function judge(
  expected: Expected,
  { answer, failed }: { answer: ChatAnswer; failed: boolean },
): EvaluationResult {
  const place = answer.debug.passages.findIndex(({ source }) => source.gid === expected.source?.gid)
  const rank = place === -1 ? null : place + 1
  const problem = failed ? `It could not answer. ${answer.debug.note ?? ''}`.trim() : problemOf(expected, answer, rank)
  return { passed: problem === null, problem, answer: answer.text, rank }
}

function problemOf(
  { words, source, unknown, actions }: Expected,
  answer: ChatAnswer,
  rank: number | null,
): string | null {
  const acted = actionProblem(actions, answer)
  if (acted) return acted
  if (unknown) return answer.found ? 'It answered, although this is not in the sources.' : null
  if (!answer.found) return 'It said that it does not know.'
  const said = comparable(answer.text)
  const missing = words.filter((word) => !said.includes(comparable(word)))
  if (missing.length > 0) return `Not in the answer: ${missing.map((word) => `“${word}”`).join(', ')}.`
  if (!source || answer.citations.some((citation) => citation.source === source.gid)) return null
  if (!source.isThere) return `The source “${source.title}” is no longer there: choose another one.`
  return rank === null
    ? `The source “${source.title}” was not found for this question.`
    : `The source “${source.title}” was found at place ${rank}, but not cited.`
}

/** Every action that succeeded in the recording must be used again, and no other one. */
function actionProblem(recorded: readonly RecordedCall[], { debug }: ChatAnswer): string | null {
  const used = debug.steps.flatMap(({ call }) => call ?? [])
  for (const { name, input } of used) {
    if (recordedFor(recorded, name, input)) continue
    const given = JSON.stringify(input).slice(0, 300)
    return recorded.some((call) => call.name === name)
      ? `It used “${name}” with other values than when this was kept: ${given}`
      : `It used “${name}”, for which this test has no answer: ${given}`
  }
  const missing = recorded.find(({ ok, name }) => ok && !used.some((call) => call.name === name))
  return missing ? `It did not use “${missing.name}”.` : null
}

/** Text normalised for comparison: without citations and Markdown, ignoring case and kinds of whitespace. */
const comparable = (text: string): string =>
  normalText(text, 'NFKC')
    .replace(/(?<!\s)\s*\[\d+\]/g, '')
    .replace(/[*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .trim()
