import type { ColumnType, Generated } from 'kysely'
import type { ContactField } from '../../../engine/values/contactFields'
import type { Json } from '../../../engine/values/json'
import type { ContactConditions } from '../../contracts/contactFilter'
import type { CustomType } from '../../contracts/customFields'

declare module '../../platform/database/tables' {
  interface Database {
    contacts: ContactsTable
    contact_calls: ContactCallsTable
    contact_fields: ContactFieldsTable
    contact_segments: ContactSegmentsTable
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
  /** who a site has signed the person to be; user_id is what anybody may say */
  verified_id: Generated<string | null>
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
