import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { Choice, VendorSlug } from '../../contracts/integrations'
import type { VendorErrorCode } from './calls/vendorError'

/** Rows of connections to vendors (migration 0110). */
declare module '../../platform/database/tables' {
  interface Database {
    connections: ConnectionsTable
    oauth_states: OauthStatesTable
    vendor_choices: VendorChoicesTable
    vendor_writes: VendorWritesTable
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
