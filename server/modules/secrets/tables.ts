import type { Generated } from 'kysely'

/** Rows of the secrets that flows refer to. */
declare module '../../platform/database/tables' {
  interface Database {
    project_secrets: ProjectSecretsTable
  }
}

export interface ProjectSecretsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** never changed: flows, versions and exports refer to it */
  name: string
  sealed_value: string
  created_at: Date
  /** null: by an account that is gone, or by the migration that found it in a flow */
  changed_by: string | null
  changed_at: Date
}
