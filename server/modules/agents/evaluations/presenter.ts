import type { EvaluationQuestion, EvaluationResult } from '../../../contracts/evaluations'
import type { EvaluationRow, ResultRow } from './rows'

/** @param results the two newest of each question (`age` 1 and 2) */
export function presentEvaluation(row: EvaluationRow, results: readonly ResultRow[]): EvaluationQuestion {
  const resultOf = (age: string): EvaluationResult | null => {
    const found = results.find((result) => result.question_id === row.id && String(result.age) === age)
    return found ? { passed: found.passed, problem: found.problem, answer: found.answer, rank: found.rank } : null
  }
  return {
    gid: row.gid,
    question: row.question,
    words: row.words,
    source: row.source_gid,
    source_title: row.title_now ?? row.source_title,
    unknown: row.expects_unknown,
    ...(row.kept && { kept: row.kept }),
    result: resultOf('1'),
    before: resultOf('2'),
  }
}
