import ipaddr from 'ipaddr.js'
import { parseNetworks } from '../platform/outbound/addresses'

/**
 * Whether a project that is open from some networks alone is open from an address.
 * @param address as text, of IPv4 or IPv6; unknown: from nowhere, so not
 * @param allowed addresses and networks with commas, checked when they were stored; empty: from everywhere
 */
export function isAllowedFrom(address: string | undefined, allowed: string): boolean {
  if (allowed === '') return true
  const plain = address?.replace(/%.*$/, '') ?? ''
  if (!ipaddr.isValid(plain)) return false
  // an IPv4 address in the form of IPv6 is that address
  const from = ipaddr.process(plain)
  return parseNetworks(allowed).some(([network, bits]) => from.kind() === network.kind() && from.match(network, bits))
}

/** Validates such a list: a sentence for the field, or null. @param own the address that must be among them */
export function allowedAddressesProblem(text: string, own: string): string | null {
  try {
    parseNetworks(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `"${error.message}" is no address: give addresses or networks with commas, such as 203.0.113.7, 198.51.100.0/24`
  }
  return isAllowedFrom(own, text) ? null : `Your own address, ${own}, is not among these: you would lock yourself out.`
}
