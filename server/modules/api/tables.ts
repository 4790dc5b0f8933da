/** Rows of migration 0182. */
declare module '../../platform/database/tables' {
  interface Database {
    api_calls: ApiCallsTable
  }
}

/** A call that named an idempotency key, and what it was answered. */
export interface ApiCallsTable {
  project_id: string
  api_key_id: string
  idempotency_key: string
  /** sha256 */
  fingerprint: Buffer
  /** null: it is under way */
  status: number | null
  /** JSON; null: none, or one that is not kept */
  answer: string | null
  created_at: Date
}
