import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

export interface Dns {
  /** The texts of a name's TXT records; none where it has none. @throws when the servers can't say */
  texts(name: string): Promise<string[]>
  /** for sockets: the addresses of a name */
  lookup: LookupFunction
}

const TIMEOUT = 3_000
const TRIES = 2
/** Of a name that somebody else fills. */
const MOST_RECORDS = 50

/** They say that there is nothing, not that they can't say. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Asks DNS servers by ourselves, so that what a hosts file or a cache of this machine says does not count; each question ends within
 * seconds.
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
    // a name that has one family is no failure of the other
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
