import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'

export interface JobsTable {
  id: Generated<string>
  project_id: string | null
  kind: string
  key: string | null
  payload: ColumnType<Json, string, string>
  run_at: Date
  attempts: Generated<number>
  lease: string | null
  /** it was scheduled anew while it was under way */
  again: Generated<boolean>
  failed_at: Date | null
  error: string | null
  /** the span that scheduled it, as `traceparent` */
  trace: Generated<string | null>
  created_at: Date
}
