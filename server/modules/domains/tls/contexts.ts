import { createSecureContext, type SecureContext } from 'node:tls'
import type { ServerContext } from '../../../platform/context'
import { createSecrets } from '../../../platform/secrets/secrets'
import { challengeCertificate } from '../acme/requests'
import type { Hosts } from '../hosts'

export interface Contexts {
  /** A host's certificate for TLS; null if it has none here. A new certificate replaces an older one at once. */
  of(hostname: string): Promise<SecureContext | null>
  /** The certificate for an authority that validates a host by tls-alpn-01 (RFC 8737). */
  challengeOf(hostname: string): Promise<SecureContext | null>
}

const MOST = 1_000

/** Loads the certificates of chatbots' custom hosts, and caches those in use. */
export function createContexts(
  { db, config, clock }: Pick<ServerContext, 'db' | 'config' | 'clock'>,
  hosts: Hosts,
): Contexts {
  const secrets = createSecrets(config)
  const kept = new Map<string, { version: string; context: SecureContext }>()

  return {
    async of(hostname) {
      const host = await hosts.find(hostname)
      if (!host?.serves || !host.certifiedAt) return null
      const version = `${host.gid} ${host.certifiedAt.getTime()}`
      const known = kept.get(host.hostname)
      if (known?.version === version) return known.context
      const row = await db
        .forProject(host.projectId)
        .selectFrom('custom_domains')
        .select(['certificate', 'sealed_key'])
        .where('id', '=', host.id)
        .executeTakeFirst()
      const place = { projectId: host.projectId, row: `custom_domains/${host.gid}` }
      const key = row?.sealed_key && secrets.open(row.sealed_key, place)
      if (!row?.certificate || !key) return null
      const context = createSecureContext({ cert: row.certificate, key, minVersion: 'TLSv1.2' })
      kept.delete(host.hostname)
      kept.set(host.hostname, { version, context })
      const [oldest] = kept.keys()
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest)
      return context
    },

    async challengeOf(hostname) {
      const row = await db
        .selectFrom('acme_challenges')
        .select('key_authorization')
        .where('hostname', '=', hostname.toLowerCase())
        .orderBy('created_at', 'desc')
        .executeTakeFirst()
      return row ? createSecureContext(challengeCertificate(hostname, row.key_authorization, clock())) : null
    },
  }
}
