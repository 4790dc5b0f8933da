import { isIP } from 'node:net'
import { type AllowedNetwork, parseNetworks } from './addresses'

/**
 * The private networks that a call of an address may reach that the operator has set: if it is one of this machine, a
 * sandbox or a test, it is meant. A name is judged like any other.
 */
export function operatorNetworks(url: string): AllowedNetwork[] {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost') return parseNetworks('127.0.0.0/8, ::1')
  return isIP(host) ? parseNetworks(host) : []
}

/** `operatorNetworks` for a call of the place that the operator has set, and none for any other address. */
export function networksAt(place: string | null, url: string): AllowedNetwork[] {
  const isThere = place !== null && URL.canParse(url) && new URL(url).origin === new URL(place).origin
  return isThere ? operatorNetworks(url) : []
}
