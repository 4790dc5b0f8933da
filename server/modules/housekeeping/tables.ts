import type { Generated } from 'kysely'

declare module '../../platform/database/tables' {
  interface Database {
    housekeeping_rules: HousekeepingRulesTable
  }
}

/** After how many days a project's traces are deleted, and how many versions stay (migrations 0392, 0395). */
interface HousekeepingRulesTable {
  project_id: string
  tests_after_days: number | null
  steps_after_days: number | null
  mails_after_days: number | null
  versions_kept: number | null
  /** YYYY-MM-DD, in UTC */
  ran_on: Generated<string | null>
  updated_at: Date
}
