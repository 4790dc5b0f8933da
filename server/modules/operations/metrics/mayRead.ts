import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hashToken } from '../../../access/tokens'
import type { Config } from '../../../platform/config/config'

/** Headers that proxies add: a call with one has come from elsewhere. */
const PROXIED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/

/**
 * Whether a call may read the metrics. With a token: who sends it as a bearer token. Without one: who calls from this
 * machine by an address of it, unless `PUBLIC_URL` is elsewhere, since a proxy on this machine would pass strangers on
 * as callers of this machine, with or without a header that says so.
 */
export function mayReadMetrics(
  { metricsToken, publicUrl }: Pick<Config, 'metricsToken' | 'publicUrl'>,
  { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
): boolean {
  if (metricsToken !== null) {
    const given = /^Bearer (\S{1,200})$/i.exec((headers.authorization ?? '').slice(0, 300))?.[1]
    return given !== undefined && timingSafeEqual(hashToken(given), hashToken(metricsToken))
  }
  const isLocal = (url: string) => URL.canParse(url) && LOCAL_HOSTS.has(new URL(url).hostname)
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    isLocal(publicUrl) &&
    isLocal(`http://${headers.host ?? ''}`) &&
    !PROXIED.some((name) => headers[name] !== undefined)
  )
}
