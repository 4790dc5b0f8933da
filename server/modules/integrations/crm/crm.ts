import type { CrmCall, CrmObject } from '../../../../engine/effects/crm'
import type { Json } from '../../../../engine/values/json'
import type { VendorSettings } from '../../../platform/config/vendorSettings'
import type { Vendor, VendorCall } from '../defineVendor'

/** A vendor that keeps contacts, companies and tickets, whatever it calls them. */
export interface Crm {
  vendor: Vendor
  /** the calls of one kind of records */
  open: (opened: OpenedCrm) => CrmRecords
  /**
   * Whether a search finds what was just created. Then those who create or update by the same value take turns, so that
   * it is created once; another vendor refuses a second one, or can't be held to one.
   */
  findsAtOnce: boolean
}

export interface OpenedCrm {
  call: VendorCall
  settings: VendorSettings
  object: CrmObject
  account: { connection: string; id: string; host: string | null }
}

/** A record as the vendor answers it. */
export interface CrmRecord {
  id: string
  /** where people open it, if the vendor says */
  url?: string | undefined
  /** by name, as far as they were asked for or set */
  properties: Readonly<Record<string, Json>>
}

export type CrmField = CrmCall['fields'][number]
export type CrmLink = CrmCall['links'][number]
export type CrmFind = NonNullable<CrmCall['find']>

/** Calls of one kind of records. All throw VendorError. */
export interface CrmRecords {
  /** Null for none, and for an empty value: a record without a value is not what is meant. */
  find(find: CrmFind, show?: readonly string[]): Promise<CrmRecord | null>
  /** Null if it is gone. Making the same change twice changes nothing more. */
  update(id: string, fields: readonly CrmField[], links: readonly CrmLink[]): Promise<CrmRecord | null>
  /** Throws VendorError exists if the vendor refuses a second one. */
  create(fields: readonly CrmField[], links: readonly CrmLink[]): Promise<CrmRecord>
  /** Creates or updates in one step, so that it may be repeated; null: not by this key. */
  put?(find: CrmFind, fields: readonly CrmField[], links: readonly CrmLink[]): Promise<CrmRecord | null>
  /** Ids of what a create may have made whose answer got lost, the likeliest first; called some seconds later. */
  recent(fields: readonly CrmField[], since: Date): Promise<string[]>
  /** whether `create` refuses a second one with these, so that nothing has to be searched for */
  isUnique(fields: readonly CrmField[]): boolean
  /** The id of the one that exists, if the vendor names it. */
  existing(error: unknown): string | null
  /** Where people open a record. */
  urlOf(id: string): string
}
