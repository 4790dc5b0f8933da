import type { Generated } from 'kysely'
import type { Scope } from '../../../contracts/route'

/** Rows of migration 0025. */
declare module '../../../platform/database/tables' {
  interface Database {
    api_keys: ApiKeysTable
  }
}

/** An API key of a project. */
export interface ApiKeysTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** its creator, on whose behalf it acts */
  user_id: string
  name: string
  preview: string
  /** sha256 */
  key_hash: Buffer
  scopes: Scope[]
  created_at: Date
  last_used_at: Generated<Date | null>
}
