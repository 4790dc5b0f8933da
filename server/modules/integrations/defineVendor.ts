import type { Json } from '../../../engine/values/json'
import type { Choice, VendorSlug } from '../../contracts/integrations'
import type { VendorClient, VendorSettings } from '../../platform/config/vendorSettings'
import type { VendorError } from './calls/vendorError'

/** A call of a vendor. */
export interface VendorRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  query?: Readonly<Record<string, string>>
  json?: Json
  /** which of the vendor's limits it counts for. A read is repeated when its answer got lost, a write is not */
  kind: 'read' | 'write'
  /** most bytes of the answer; default: 1 MB */
  maxBytes?: number
  /** what it is about, in messages: `The spreadsheet “Orders”` */
  about?: string
}

/** Calls a vendor with a connection's rights, and returns the answer's JSON. Throws VendorError. */
export type VendorCall = (request: VendorRequest) => Promise<Json>

/** Where people consent, and where codes and tokens are exchanged. */
export interface OAuthSettings {
  /** null: the installation has no client at this vendor */
  client: VendorClient | null
  authorizeUrl: string
  tokenUrl: string
  /** null: tokens can't be revoked */
  revokeUrl: string | null
  scopes: readonly string[]
  /** those without which nothing works, each with what it is for */
  needed: Readonly<Record<string, string>>
  /** further parameters of the page where people consent */
  extra: Readonly<Record<string, string>>
}

/** At most so many calls within a window, for each connection. */
export interface Pace {
  most: number
  windowMs: number
}

/** A list that forms let people choose from. */
export type ChoiceList = (
  call: VendorCall,
  asked: { settings: VendorSettings; within: readonly string[]; search: string },
) => Promise<Choice[]>

/** A vendor: how it is connected, how fast it may be called, what its errors mean, what can be chosen. */
export interface Vendor {
  slug: VendorSlug
  /** as people know it */
  name: string
  oauth: (settings: VendorSettings) => OAuthSettings
  paces: Readonly<Record<VendorRequest['kind'], Pace>>
  /** What an answer that is no success means. */
  explain: (status: number, body: Json, about: string) => VendorError
  /** The account that was connected. */
  identify: (call: VendorCall, settings: VendorSettings) => Promise<{ id: string; name: string }>
  choices: Readonly<Record<string, ChoiceList>>
}

/** Declares a vendor. It is given the way to call it, so that it knows nothing of accounts. */
export const defineVendor = (vendor: Vendor): Vendor => vendor
