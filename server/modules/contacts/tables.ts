import type { ColumnType, Generated, Selectable } from 'kysely'
import type { ContactField } from '../../../engine/values/contactFields'
import type { Json } from '../../../engine/values/json'
import type { ContactConditions } from '../../contracts/contactFilter'
import type { ImportColumn, ImportMapping, ImportStatus } from '../../contracts/contactImports'
import type { CustomType } from '../../contracts/customFields'

declare module '../../platform/database/tables' {
  interface Database {
    contacts: ContactsTable
    contact_calls: ContactCallsTable
    contact_fields: ContactFieldsTable
    contact_segments: ContactSegmentsTable
    contact_imports: ContactImportsTable
    contact_import_parts: ContactImportPartsTable
    contact_import_lines: ContactImportLinesTable
    contact_merges: ContactMergesTable
  }
}

export interface ContactsTable extends Record<ContactField, string | null> {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string | null
  custom: ColumnType<Record<string, string>, string, string>
  /** created or changed by a test, and by no visitor since */
  test: Generated<boolean>
  /** of the project's sample, with which it goes */
  sample: Generated<boolean>
  tags: Generated<string[]>
  /** not to be served, as members say */
  blocked: Generated<boolean>
  /** who a site has signed the person to be; user_id is what anybody may say */
  verified_id: Generated<string | null>
  /** addresses of contacts that were merged into it: `email:…`, `phone:…`, `user_id:…` */
  aliases: Generated<string[]>
  created_at: Date
  updated_at: Date
}
export interface ContactCallsTable {
  project_id: string
  key: string
  result: ColumnType<Json, string, never>
  created_at: Date
}

export interface ContactFieldsTable {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  type: CustomType
  choices: string[]
  in_table: boolean
  created_at: Date
}
export interface ContactSegmentsTable {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  filter: ColumnType<ContactConditions, string, string>
  created_at: Date
  updated_at: Date
}

export interface ContactImportsTable {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  status: ImportStatus
  encoding: string
  separator: string
  columns: ColumnType<ImportColumn[], string, never>
  rows: number
  mapping: ColumnType<ImportMapping | null, string | null | undefined, string>
  /** the next part */
  position: Generated<number>
  processed: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  skipped: Generated<number>
  refused: Generated<number>
  created_by: string | null
  created_at: Date
  finished_at: Generated<Date | null>
  expires_at: Date
}
export interface ContactImportPartsTable {
  import_id: string
  project_id: string
  position: number
  /** rows as JSON, gzip */
  data: Buffer
}
export interface ContactImportLinesTable {
  import_id: string
  project_id: string
  line: number
  /** found while the file was parsed, whatever the mapping */
  of_file: Generated<boolean>
  key: Generated<Buffer | null>
  column: Generated<string | null>
  value: Generated<string | null>
  message: Generated<string | null>
}

/** The columns that a merge, and its undoing, may change. */
export type Merged = Pick<
  Selectable<ContactsTable>,
  ContactField | 'custom' | 'tags' | 'aliases' | 'blocked' | 'test' | 'verified_id'
>
/** Tables that refer to contacts. */
export type MovedTable =
  | 'conversations'
  | 'notifications'
  | 'contact_merges'
  | 'webhook_messages'
  | 'whatsapp_broadcast_people'

/** What it takes to undo a merge. */
export interface MergeRecord {
  /** the contact that went, as its row was */
  from: Record<string, unknown>
  /** of the contact that stayed */
  before: Merged
  after: Merged
  /** ids of the rows that were moved; absent: of tables that are newer than the merge */
  moved: Partial<Record<MovedTable, string[]>>
}
export interface ContactMergesTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** the one that stayed */
  contact_id: string
  record: ColumnType<MergeRecord, string, never>
  merged_by: string | null
  merged_at: Date
  undone_at: Generated<Date | null>
  expires_at: Date
}
