import { parseNetworks } from '../outbound/addresses'

/** The number of proxies in front of the server, or their addresses: networks, or names that fastify knows. */
export type TrustProxy = number | string[]

/** Fastify's names, as ipaddr.js calls them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['loopback'],
  linklocal: ['linkLocal'],
  uniquelocal: ['uniqueLocal', 'private'],
}
/** The most proxies in a row. */
const MOST_HOPS = 10

/**
 * Parses `TRUST_PROXY`: a number of proxies (`0` trusts none), or networks and addresses separated by commas.
 * @returns null if it is neither
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
