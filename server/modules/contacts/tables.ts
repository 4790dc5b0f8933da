import type { ColumnType, Generated } from 'kysely'
import type { ContactField } from '../../../engine/values/contactFields'
import type { Json } from '../../../engine/values/json'

declare module '../../platform/database/tables' {
  interface Database {
    contacts: ContactsTable
    contact_calls: ContactCallsTable
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
  tags: Generated<string[]>
  /** not to be served, as members say */
  blocked: Generated<boolean>
  created_at: Date
  updated_at: Date
}
export interface ContactCallsTable {
  project_id: string
  key: string
  result: ColumnType<Json, string, never>
  created_at: Date
}
