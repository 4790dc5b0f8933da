import type { ColumnType, Generated } from 'kysely'
import type { ContactConditions } from '../../contracts/contactFilter'
import type { ExportKind } from '../../contracts/exports'

declare module '../../platform/database/tables' {
  interface Database {
    exports: ExportsTable
    export_parts: ExportPartsTable
  }
}

export interface ExportsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** null: of all chatbots */
  chatbot_id: string | null
  kind: ExportKind
  status: Generated<'waiting' | 'running' | 'done' | 'failed'>
  /** YYYY-MM-DD, in UTC */
  first_day: ColumnType<string | null, string | null, never>
  last_day: ColumnType<string | null, string | null, never>
  total: Generated<number>
  rows: Generated<number>
  bytes: ColumnType<string, number | undefined, number>
  section: Generated<number>
  cursor: Generated<string | null>
  /** of contacts: those that are exported; null: all */
  filter: ColumnType<ContactConditions | null, string | null | undefined, never>
  columns: ColumnType<Record<string, string[]>, string | undefined, string>
  created_by: string | null
  created_at: Date
  finished_at: Generated<Date | null>
  expires_at: Date
}
export interface ExportPartsTable {
  export_id: string
  project_id: string
  position: number
  section: string
  rows: number
  /** JSON lines, gzip */
  data: Buffer
}
