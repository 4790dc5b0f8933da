import type { Generated } from 'kysely'

/** Rows of projects' secrets. */
declare module '../../platform/database/tables' {
  interface Database {
    project_secrets: ProjectSecretsTable
  }
}

export interface ProjectSecretsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** immutable: flows, versions and exports refer to it */
  name: string
  sealed_value: string
  created_at: Date
  /** null: a deleted account, or the migration that found it in a flow */
  changed_by: string | null
  changed_at: Date
}
