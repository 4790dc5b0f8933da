import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { type AllowedNetwork, refusalOf } from './addresses'
import { OutboundError } from './errors'

/**
 * Resolves a name for a socket; fails if any of its addresses is not allowed, since no honest server mixes public and
 * private addresses, or alternates between them.
 */
export function guardLookup(allowed: readonly AllowedNetwork[], lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    const done = callback as (error: Error | null, address: string | LookupAddress[], family?: number) => void
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const addresses: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: 0 }] : found
      for (const { address } of addresses) {
        const refusal = refusalOf(address, allowed)
        if (refusal) return done(new OutboundError(refusal, `${hostname} (${address})`), [])
      }
      const [first] = addresses
      if (!first) return done(new OutboundError('unknown_host', hostname), [])
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
