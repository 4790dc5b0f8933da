import { createHash } from 'node:crypto'
import { buildConnector } from 'undici'
import type { DomainProblem } from '../../contracts/domains'
import type { Config } from '../../platform/config/config'
import { OutboundError, type OutboundErrorCode } from '../../platform/outbound/errors'
import { guardLookup } from '../../platform/outbound/guardLookup'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import type { Dns } from './dns'
import { trusted } from './trusted'

/** Null: no problem. */
export type Finding = { problem: DomainProblem; detail: string } | null

interface Checked {
  hostname: string
  challenge: string
  token: string
}

export interface Checks {
  /** checks for the TXT record that only the domain's owner can create */
  ownership(domain: Checked): Promise<Finding>
  /** checks over plain HTTP whether the host points to this installation */
  reach(domain: Checked): Promise<Finding>
  /** checks the same by TLS, with a certificate that browsers accept */
  tls(domain: Checked): Promise<Finding>
}

const TIMEOUT = 20_000
const MOST_BYTES = 1_000

export const ownershipName = (hostname: string): string => `_parley-challenge.${hostname}`

/** This installation's response to a request for the token; a server that echoes requests does not send it. */
export const reachAnswer = (token: string): string => createHash('sha256').update(`parley ${token}`).digest('hex')

export function createChecks({ domains, outboundAllow }: Pick<Config, 'domains' | 'outboundAllow'>, dns: Dns): Checks {
  const { http = 80, https = 443, ca } = domains.reach ?? {}
  const lookup = guardLookup(outboundAllow, dns.lookup)
  const fetchOutbound = createOutboundFetch({
    allowed: outboundAllow,
    connector: buildConnector({ lookup, timeout: 0, maxCachedSessions: 0, ...trusted(ca) }),
  })

  /** @param elsewhere the problem to report if another server answered */
  async function ask(base: string, { token }: Checked): Promise<Finding> {
    try {
      const answer = await fetchOutbound({
        url: `${base}/.well-known/parley-domain/${token}`,
        timeoutMs: TIMEOUT,
        maxBytes: MOST_BYTES,
      })
      if (new TextDecoder().decode(answer.body) === reachAnswer(token)) return null
      return { problem: 'wrong_server', detail: `HTTP ${answer.status}` }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { problem: byCode[error.code] ?? 'wrong_server', detail: error.message }
    }
  }

  return {
    async ownership({ hostname, challenge }) {
      const name = ownershipName(hostname)
      try {
        const texts = await dns.texts(name)
        if (texts.some((text) => text.trim() === challenge)) return null
        return { problem: texts.length > 0 ? 'txt_wrong' : 'txt_missing', detail: (texts[0] ?? '').slice(0, 200) }
      } catch (error) {
        return { problem: 'dns_failed', detail: error instanceof Error ? error.message : '' }
      }
    },

    // a proxy may redirect to https, and orders the certificate then
    reach: (domain) => ask(`http://${domain.hostname}${http === 80 ? '' : `:${http}`}`, domain),

    async tls(domain) {
      const found = await ask(`https://${domain.hostname}${https === 443 ? '' : `:${https}`}`, domain)
      return found && { ...found, problem: 'tls_missing' }
    },
  }
}

const byCode: Partial<Record<OutboundErrorCode, DomainProblem>> = {
  unknown_host: 'dns_missing',
  private_address: 'private_address',
  metadata_address: 'private_address',
  refused: 'not_reached',
  unreachable: 'not_reached',
  closed: 'not_reached',
  timeout: 'not_reached',
  tls: 'tls_missing',
}
