import type { ColumnType, Generated } from 'kysely'
import type { BookingSaves, BookingState } from '../../../engine/effects/bookings'
import type { Json } from '../../../engine/values/json'
import type { Choice, VendorSlug } from '../../contracts/integrations'
import type { VendorErrorCode } from './calls/vendorError'

/** Rows of connections to vendors (migrations 0110 and 0149). */
declare module '../../platform/database/tables' {
  interface Database {
    connections: ConnectionsTable
    oauth_states: OauthStatesTable
    vendor_choices: VendorChoicesTable
    vendor_writes: VendorWritesTable
    bookings: BookingsTable
    calendly_hooks: CalendlyHooksTable
  }
}

export interface ConnectionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  vendor: VendorSlug
  account_id: string
  account_name: string
  scopes: string[]
  sealed_tokens: string | null
  expires_at: Date | null
  problem: VendorErrorCode | null
  problem_at: Date | null
  connected_by: string | null
  connected_at: Date
  used_at: Date | null
  /** of a stand-in */
  sandbox: Generated<boolean>
}

export interface OauthStatesTable {
  id: Generated<string>
  gid: string
  project_id: string
  state_hash: Buffer
  session_hash: Buffer
  user_id: string
  vendor: VendorSlug
  sealed_verifier: string
  sealed_filled: string | null
  return_to: string
  expires_at: Date
}

export interface VendorChoicesTable {
  connection_id: string
  project_id: string
  list: string
  choices: ColumnType<Choice[], string, string>
  fetched_at: Date
}

export interface VendorWritesTable {
  project_id: string
  key: string
  target: string
  done: Generated<boolean>
  answer: ColumnType<Json, string | null, string | null>
  mark: number | string | null
  created_at: Date
}

export interface BookingsTable {
  id: Generated<string>
  gid: string
  project_id: string
  connection_id: string
  conversation_id: string | null
  call_key: string
  url: string | null
  time_zone: string
  language: string
  saves: ColumnType<BookingSaves | null, string | null, string | null>
  state: Generated<BookingState | 'offered'>
  invitee: string | null
  ended: Generated<string[]>
  start_at: Date | null
  reschedule_url: string | null
  cancel_url: string | null
  created_at: Date
}

export interface CalendlyHooksTable {
  connection_id: string
  project_id: string
  sealed_key: string
  by_app: boolean
  uri: string | null
  problem: string | null
  checked_at: Date
}
