import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { AuditChange } from '../../contracts/auditLog'

/** Rows of the audit log (migration 0388). */
declare module '../../platform/database/tables' {
  interface Database {
    audit_entries: AuditEntriesTable
    audit_changes: AuditChangesTable
  }
}

/** What a member did: rows are added, never changed. */
interface AuditEntriesTable {
  project_id: string
  /** from 1 in each project; written by a trigger, as the hash is */
  seq: Generated<string>
  event_id: string
  at: Date
  type: string
  /** the account's gid */
  person: string | null
  address: string | null
  correlation: string
  payload: ColumnType<Record<string, Json>, string, never>
  chatbot: string | null
  changes: ColumnType<AuditChange[], string, never>
  hash: Generated<Buffer>
}

/** What a transaction changed in settings: written by triggers, and taken by the entry of its event. */
interface AuditChangesTable {
  id: Generated<string>
  /** xid8, as digits */
  tx: Generated<string>
  project_id: string
  subject: string
  row_gid: string | null
  before: Json
  after: Json
  at: Generated<Date>
}
