import type { ColumnType, Generated } from 'kysely'
import type { EvaluationBody } from '../../../contracts/evaluations'

/** Rows of chatbots' instructions and evaluation questions (migration 0022). */
declare module '../../../platform/database/tables' {
  interface Database {
    instruction_versions: InstructionVersionsTable
    evaluation_questions: EvaluationQuestionsTable
    evaluation_runs: EvaluationRunsTable
    evaluation_results: EvaluationResultsTable
  }
}

export interface InstructionVersionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  text: string
  created_by: string | null
  created_at: Date
}
export interface EvaluationQuestionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  question: string
  words: string[]
  /** no foreign key: if the source is deleted, the question still requires it */
  source_gid: string | null
  /** its title when it was chosen */
  source_title: string | null
  expects_unknown: boolean
  /** null: not created from a conversation */
  kept: ColumnType<NonNullable<EvaluationBody['kept']> | null, string | null, string | null>
  created_by: string | null
  created_at: Date
}
export interface EvaluationRunsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  model: string
  total: number
  /** set at the end, like `total`: questions may be deleted, the score stays */
  passed: Generated<number>
  /** null: a training began it, or the person's account is gone */
  started_by: string | null
  after_training: Generated<boolean>
  created_at: Date
  /** null: still running */
  finished_at: Date | null
}
export interface EvaluationResultsTable {
  run_id: string
  question_id: string
  project_id: string
  passed: boolean
  problem: string | null
  answer: string
  rank: number | null
}
