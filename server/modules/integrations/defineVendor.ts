import type { Json } from '../../../engine/values/json'
import type { Choice, VendorSlug } from '../../contracts/integrations'
import type { VendorClient, VendorSettings } from '../../platform/config/vendorSettings'
import type { VendorError, VendorErrorCode } from './calls/vendorError'
import type { ByHand, FieldRule, Filled } from './connections/filled'

/** A call of a vendor. */
export interface VendorRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** an address of the installation's settings, or a path (`/…`) at the account's own host */
  url: string
  query?: Readonly<Record<string, string>>
  json?: Json
  /** the vendor answers a write with the same key as it did before */
  idempotencyKey?: string
  /** instead of JSON */
  form?: Readonly<Record<string, string>>
  /** a file, instead of JSON */
  bytes?: Uint8Array
  /** a read is repeated when its answer got lost, a write is not */
  kind: 'read' | 'write'
  /** making this write twice changes nothing more, so it is repeated as well */
  isRepeatable?: boolean
  /** which of the vendor's limits it counts for; default: that of its kind */
  pace?: string
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
  /** whether codes and tokens are exchanged with the client's id and secret in a header, in place of the body */
  clientByBasic?: true
  /** null: tokens can't be revoked */
  revokeUrl: string | null
  /** whether the client's id and secret go with what is revoked */
  revokesAsClient?: boolean
  /** whether a token is revoked by a DELETE that it is sent with, instead of a form */
  revokesByDelete?: boolean
  scopes: readonly string[]
  /** those without which nothing works, each with what it is for */
  needed: Readonly<Record<string, string>>
  /** further parameters of the page where people consent */
  extra: Readonly<Record<string, string>>
  /**
   * Where the account's calls go, from the answer that has its tokens: an address without a path. Throws VendorError if
   * it is not one of the vendor's, which must not get a token.
   */
  hostOf?: (granted: Json) => string
}

/** At most so many calls within a window, for each connection. */
export interface Pace {
  /** paces of the same bucket share its window */
  bucket: string
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
  /** what people fill in before they consent; default: nothing. They are valid before any token is sent anywhere */
  fields?: readonly FieldRule[]
  /** `filled` is empty where nothing is asked yet */
  oauth: (settings: VendorSettings, filled: Filled) => OAuthSettings
  /** where it sends people back to; default: `/oauth/cb/builder/<slug>` */
  callbackPath?: string
  /** tokens and keys that people may bring instead of a consent */
  byHand?: readonly ByHand[]
  paces: Readonly<Record<VendorRequest['kind'], Pace>> & Readonly<Record<string, Pace>>
  /** What an answer that is no success means. */
  explain: (status: number, body: Json, about: string) => VendorError
  /** What the token endpoint's refusal means, if it is not said as the standard does (RFC 6749); null: it is. */
  tokenProblem?: (body: Json) => VendorErrorCode | VendorError | null
  /** Whether a new token is worth a try after a 401. Default: it is. */
  isExpired?: (body: Json) => boolean
  /** How many calls of how many its account has made in a day, if an answer's headers say so. */
  usageOf?: (headers: Readonly<Record<string, string>>) => { used: number; most: number } | null
  /** How many calls a window of its pace takes, if an answer's headers say so: it depends on the account's plan. */
  mostOf?: (headers: Readonly<Record<string, string>>) => number | null
  /** The account that was connected; `granted` is what the token endpoint answered, null for a token by hand. */
  identify: (
    call: VendorCall,
    settings: VendorSettings,
    granted: Json,
    filled: Filled,
  ) => Promise<{ id: string; name: string }>
  /** Makes a call that changes nothing, to see whether the connection works. */
  check: (call: VendorCall, settings: VendorSettings) => Promise<void>
  choices: Readonly<Record<string, ChoiceList>>
}

/** Declares a vendor. It is given the way to call it, so that it knows nothing of accounts. */
export const defineVendor = (vendor: Vendor): Vendor => vendor
