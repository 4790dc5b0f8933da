import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config/config'
import { trustOf } from '../config/trustProxy'

/** Where a socket comes from, told by the trusted proxies in front of the server: as `request.ip` of calls. */
export const addressOfUpgrade = (request: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>): string =>
  proxyAddr(request, trustOf(trustProxy))
