declare module '../../platform/database/tables' {
  interface Database {
    handled_questions: HandledQuestionsTable
  }
}

/** Questions without an answer that an editor has dealt with. */
export interface HandledQuestionsTable {
  project_id: string
  chatbot_id: string
  /** as of `asked_questions` */
  wording_hash: string
  handled_at: Date
}
