import type { Generated } from 'kysely'
import type { Scope } from '../../../contracts/route'

/** Rows of migrations 0025 and 0182. */
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
  /** null: it does not end by itself */
  expires_at: Generated<Date | null>
  /** null: the usual limit */
  calls_a_minute: Generated<number | null>
  /** sha256 of the secret before, which works until `old_key_until` */
  old_key_hash: Generated<Buffer | null>
  old_key_until: Generated<Date | null>
  last_used_at: Generated<Date | null>
}
