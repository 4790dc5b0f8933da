import { parseNetworks } from '../outbound/addresses'

/** How many proxies stand before the server, or which addresses they have: networks, or names of some that fastify knows. */
export type TrustProxy = number | string[]

/** As fastify has them, by what ipaddr.js calls them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['loopback'],
  linklocal: ['linkLocal'],
  uniquelocal: ['uniqueLocal', 'private'],
}
/** More in a row would be nobody's. */
const MOST_HOPS = 10

/**
 * Reads `TRUST_PROXY`: a number of proxies (`0` trusts none), or networks and addresses with commas between them.
 * @returns null where it is neither
 */
export function parseTrustProxy(text: string): TrustProxy | null {
  if (/^\d+$/.test(text)) return Number(text) <= MOST_HOPS ? Number(text) : null
  const items = text.split(',').map((item) => item.trim())
  return items.every((item) => Object.hasOwn(NAMES, item) || isNetwork(item)) ? items : null
}

/** In the form that fastify takes. */
export const trustOf = (trust: TrustProxy): string[] | ((address: string, hop: number) => boolean) =>
  typeof trust === 'number' ? (_, hop) => hop < trust : trust

function isNetwork(item: string): boolean {
  try {
    return parseNetworks(item).length === 1
  } catch {
    return false
  }
}
