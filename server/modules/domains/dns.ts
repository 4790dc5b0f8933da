import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

export interface Dns {
  /** The texts of a name's TXT records; empty if there are none. @throws when the servers can't be reached */
  texts(name: string): Promise<string[]>
  /** for sockets: resolves a name to addresses */
  lookup: LookupFunction
}

const TIMEOUT = 3_000
const TRIES = 2
/** A name's owner can create any number of records. */
const MOST_RECORDS = 50

/** Codes for "no such record", as opposed to failures. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Queries DNS servers itself, so that this machine's hosts file and cache are not used; each query ends within seconds.
 * @param servers empty: those of the system
 */
export function createDns(servers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)

  async function ask<Item>(answer: Promise<Item[]>): Promise<Item[]> {
    try {
      return (await answer).slice(0, MOST_RECORDS)
    } catch (error) {
      if (NOTHING.has((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  }

  async function addressesOf(host: string) {
    // a name with addresses of one family only is no failure
    const [v4, v6] = await Promise.allSettled([ask(resolver.resolve4(host)), ask(resolver.resolve6(host))])
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ]
    const failed = [v4, v6].find((each) => each.status === 'rejected')
    if (found.length === 0 && failed) throw failed.reason
    return found
  }

  return {
    texts: async (name) => (await ask(resolver.resolveTxt(name))).map((parts) => parts.join('')),

    lookup(hostname, options, callback) {
      addressesOf(hostname).then(
        (found) => {
          const [first] = found
          if (!first) {
            callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '')
          } else if (options.all) callback(null, found)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      )
    },
  }
}
