import type { Generated } from 'kysely'
import type { Redactable } from '../../contracts/privacy'

declare module '../../platform/database/tables' {
  interface Database {
    erasures: ErasuresTable
    retention_rules: RetentionRulesTable
    retention_runs: RetentionRunsTable
  }
}

export interface ErasuresTable {
  id: Generated<string>
  project_id: string
  contact: string
  erased_by: string | null
  conversations: number
  leads: number
  erased_at: Date
}
export interface RetentionRulesTable {
  project_id: string
  delete_after_days: number | null
  redact_after_days: number | null
  redact: Redactable[]
  /** when a kind was added to these; null: not since they were first kept */
  widened_at: Date | null
  updated_at: Date
}
export interface RetentionRunsTable {
  id: Generated<string>
  project_id: string
  /** YYYY-MM-DD, in UTC */
  day: string
  deleted: number
  redacted: number
  at: Date
}
