import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { registerRoute } from '../../access/register'
import { acmeChallenge, reachToken, tlsAllowed } from '../../contracts/domains'
import type { Config } from '../../platform/config/config'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { parseNetworks } from '../../platform/outbound/addresses'
import { reachAnswer } from './checks'
import { plainHost } from './hostname'
import type { Hosts } from './hosts'

/** Routes for proxies, certificate authorities and Parley's own checks of hosts. */
export function registerPublicDomains(app: FastifyInstance, context: ServerContext, hosts: Hosts): void {
  const { db, config } = context
  const mayAsk = createMayAsk(config)

  registerRoute(app, context, tlsAllowed, async ({ query, request }) => {
    if (!mayAsk(request)) throw new ApiError('not_found')
    const host = await hosts.find(query.domain)
    if (!host?.serves) throw new ApiError('not_found')
    return {}
  })

  registerRoute(app, context, acmeChallenge, async ({ params, request, reply }) => {
    const row = await db
      .selectFrom('acme_challenges')
      .select('key_authorization')
      .where('token', '=', params.token)
      .where('hostname', '=', plainHost(request.host))
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return reply.header('cache-control', 'no-store').type('application/octet-stream').send(row.key_authorization)
  })

  registerRoute(app, context, reachToken, async ({ params, request, reply }) => {
    const row = await db
      .selectFrom('custom_domains')
      .select('token')
      .where('token', '=', params.token)
      .where('hostname', '=', plainHost(request.host))
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(reachAnswer(row.token))
  })
}

const names: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether this machine or a trusted proxy calls for itself, rather than forwarding a request. */
function createMayAsk({ trustProxy }: Pick<Config, 'trustProxy'>): (request: FastifyRequest) => boolean {
  const given = typeof trustProxy === 'number' ? [] : trustProxy
  const networks = ['loopback', ...given].flatMap((item) => names[item] ?? [item]).flatMap(parseNetworks)
  return ({ socket, headers }) => {
    if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false
    const from = (socket.remoteAddress ?? '').replace(/%.*$/, '')
    if (!ipaddr.isValid(from)) return false
    const address = ipaddr.process(from)
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}
