import { isIP } from 'node:net'
import { hasFeature } from '../../access/entitlements'
import { isDomainOver } from '../../access/overLimit'
import type { ServerContext } from '../../platform/context'
import { ownHosts, plainHost } from './hostname'

/** A host that belongs to a chatbot. */
export interface ChatbotHost {
  id: string
  gid: string
  hostname: string
  projectId: string
  /** of the chatbot's page */
  slug: string
  /** by which pages of other sites name the chatbot */
  egid: string
  /** false: neither the chatbot nor the application is served there */
  serves: boolean
  /** when its certificate was stored; null: it has none here */
  certifiedAt: Date | null
}

export interface Hosts {
  /** The chatbot whose custom host a request names; null for an unknown host, or one without proof of ownership. */
  find(host: string | undefined): Promise<ChatbotHost | null>
  /** Drops the cached entry in all processes: call it after the commit of a change. */
  forget(hostname: string): void
  close(): void
}

/** How long a cached entry is valid, in case a notification of another process was lost. */
const FRESH = 5_000
const MOST = 2_000
const CHANNEL = 'custom-domains'

/**
 * Finds chatbots by the hosts of requests. Entries are cached for a few seconds, since each request to such a host
 * needs one. The application's own addresses, IP addresses and names without a dot need no query.
 */
export function createHosts({ db, bus, clock, config }: Pick<ServerContext, 'db' | 'bus' | 'clock' | 'config'>): Hosts {
  const known = new Map<string, { at: number; found: Promise<ChatbotHost | null> }>()
  const leave = bus.subscribe(CHANNEL, {
    hear: (message) => void known.delete(Buffer.from(message).toString()),
    look: () => known.clear(),
  })

  async function read(hostname: string): Promise<ChatbotHost | null> {
    const row = await db
      .selectFrom('custom_domains')
      .innerJoin('chatbots', (join) =>
        join
          .onRef('chatbots.id', '=', 'custom_domains.chatbot_id')
          .onRef('chatbots.project_id', '=', 'custom_domains.project_id'),
      )
      .innerJoin('projects', 'projects.id', 'custom_domains.project_id')
      .select([
        'custom_domains.id',
        'custom_domains.gid',
        'custom_domains.project_id',
        'custom_domains.owned',
        'custom_domains.certified_at',
        'chatbots.slug',
        'chatbots.egid',
        'chatbots.deleting_since',
        'projects.plan_id',
        'projects.addons',
        isDomainOver.as('over'),
      ])
      .where('custom_domains.hostname', '=', hostname)
      // a host entered without proof of ownership is not reserved
      .where('custom_domains.proven_at', 'is not', null)
      .executeTakeFirst()
    if (!row) return null
    const serves = row.owned && row.deleting_since === null && hasFeature(row, 'custom_domain') && !row.over
    const { id, gid, project_id: projectId, slug, egid, certified_at: certifiedAt } = row
    return { id, gid, hostname, projectId, slug, egid, serves, certifiedAt }
  }

  return {
    async find(host) {
      const hostname = plainHost(host ?? '')
      const mayBeOne = hostname.includes('.') && hostname.length <= 253 && isIP(hostname) === 0
      if (!mayBeOne || ownHosts(config).has(hostname)) return null
      const now = clock().getTime()
      const before = known.get(hostname)
      if (before && Math.abs(now - before.at) < FRESH) return before.found
      known.delete(hostname)
      const found = read(hostname)
      known.set(hostname, { at: now, found })
      const [oldest] = known.keys()
      if (known.size > MOST && oldest !== undefined) known.delete(oldest)
      // a failed lookup is not cached
      found.catch(() => known.delete(hostname))
      return found
    },

    forget(hostname) {
      known.delete(hostname)
      bus.publish(CHANNEL, Buffer.from(hostname))
    },

    close: leave,
  }
}
