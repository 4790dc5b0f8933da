import type { ConnectionField, ConnectionWay } from '../../../contracts/integrations'
import type { VendorSettings } from '../../../platform/config/vendorSettings'
import { ApiError } from '../../../platform/errors'
import { VendorError, type VendorErrorCode } from '../calls/vendorError'
import type { Granted } from './granted'

/** What a person fills in to connect an account, by the names of the fields. Stored sealed. */
export type Filled = Readonly<Partial<Record<ConnectionField, string>>>

export interface FieldRule {
  name: ConnectionField
  max: number
  /** a secret: hidden while it is typed, never shown again */
  isSecret?: boolean
  /** a whole file, pasted */
  isLong?: boolean
  /** What is wrong with it, and what to do; null: nothing. */
  problem: (value: string) => string | null
}

/** A way to connect without the vendor's page: a token or key that a person brings. */
export interface ByHand {
  way: ConnectionWay
  fields: readonly FieldRule[]
  /** whether `grant` gives a new token when one has run out */
  renews: boolean
  /** Tokens for what was filled in; `exchange` asks a token endpoint for them. Throws VendorError. */
  grant: (filled: Filled, by: GrantMeans) => Promise<Granted>
  /** the field at which it is said that the vendor refused */
  fieldOf: (code: VendorErrorCode) => ConnectionField
}

export interface GrantMeans {
  settings: VendorSettings
  now: Date
  exchange: (url: string, form: Record<string, string>) => Promise<Granted>
}

/** A token that is used as it is. */
export const grantOfToken = (token: string, host: string | null = null): Granted => ({
  access: { access: token, refresh: null, host },
  expiresIn: null,
  scopes: [],
  answer: null,
})

/** @throws ApiError invalid, with a message at each field that is missing, wrong or not asked for */
export function readFilled(rules: readonly FieldRule[], given: Filled): Filled {
  const fields: Record<string, string> = {}
  const filled: Record<string, string> = {}
  for (const { name, max, problem } of rules) {
    const value = (given[name] ?? '').trim()
    const wrong =
      value === ''
        ? 'This field is required'
        : value.length > max
          ? `Must not exceed ${max} characters`
          : problem(value)
    if (wrong !== null) fields[`fields.${name}`] = wrong
    filled[name] = value
  }
  const surplus = Object.keys(given).find((name) => !Object.hasOwn(filled, name))
  if (surplus !== undefined) fields[`fields.${surplus}`] = 'This is not asked for'
  if (Object.keys(fields).length > 0) throw new ApiError('invalid', { fields })
  return filled
}

/** Has what the vendor says shown at the field that it is about. @throws ApiError instead of VendorError */
export async function atField<T>(vendor: string, fieldOf: ByHand['fieldOf'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const isRefused = error.code === 'reconnect' || error.code === 'client'
    const message = isRefused ? `${vendor} does not accept this. Copy it again, or make a new one there` : error.message
    throw new ApiError('invalid', { fields: { [`fields.${fieldOf(error.code)}`]: message }, cause: error })
  }
}

/** The rule of a token: one line of visible characters. */
export const isToken = (value: string): string | null =>
  /^[\x21-\x7e]+$/.test(value) ? null : 'A token has no spaces or line breaks. Copy it again'
