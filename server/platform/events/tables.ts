import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'

export interface EventsTable {
  id: Generated<string>
  epoch: Generated<number>
  /** xid8, as digits */
  tx: Generated<string>
  project_id: string
  type: string
  version: number
  actor: 'user' | 'visitor' | 'bot' | 'system'
  /** of a user, or of an API key's member */
  user_id: string | null
  correlation: string
  /** where the call came from; null: it was no call, or a visitor's */
  address: Generated<string | null>
  payload: ColumnType<Json, string, never>
  at: Date
}

export interface EventConsumersTable {
  name: string
  epoch: number
  tx: string
  position: string
  moved_at: Date
}

export interface EventFailuresTable {
  consumer: string
  event_id: string
  event_at: Date
  project_id: string
  attempts: number
  error: string
  /** null: given up */
  retry_at: Date | null
}
