import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AllowedNetwork, refusalOf } from './addresses'
import { OutboundError } from './errors'
import { guardLookup } from './guardLookup'

export interface GuardOptions {
  /** private networks that the operator allows calls to */
  allowed?: readonly AllowedNetwork[] | undefined
  /** replaces the system's resolver */
  lookup?: LookupFunction | undefined
  /** replaces the function that opens sockets */
  connector?: buildConnector.connector | undefined
}

/** Always loopback, whatever a resolver says (RFC 6761). */
const LOCALHOST = /(?:^|\.)localhost\.?$/

/**
 * Connects only to allowed addresses: checks each address that a name resolves to, and the one actually connected to.
 */
export function guardedConnector({ allowed = [], lookup, connector }: GuardOptions): buildConnector.connector {
  const connectTo =
    connector ?? buildConnector({ lookup: guardLookup(allowed, lookup), timeout: 0, maxCachedSessions: 0 })
  return (options, callback) =>
    connectTo(options, (...[error, socket]) => {
      if (error || !socket) return callback(error ?? new Error('no socket'), null)
      const refusal = refusalOf(socket.remoteAddress ?? '', allowed)
      if (!refusal) return callback(null, socket)
      socket.destroy()
      callback(new OutboundError(refusal, options.hostname), null)
    })
}

/** @throws OutboundError if the address is invalid or not allowed; names are checked when they are resolved */
export function checkUrl(text: string, allowed: readonly AllowedNetwork[], base?: URL): URL {
  const wrong = base ? 'bad_redirect' : 'invalid_url'
  if (!URL.canParse(text, base?.href)) throw new OutboundError(wrong, text)
  const url = new URL(text, base)
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw new OutboundError(wrong, text)
  if (url.username || url.password) throw new OutboundError('credentials_in_url', url.host)
  // URL has normalised every spelling of an IPv4 address (octal, hex, one number, full-width digits)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const address = isIP(host) ? host : LOCALHOST.test(host) ? '127.0.0.1' : null
  const refusal = address && refusalOf(address, allowed)
  if (refusal) throw new OutboundError(refusal, host)
  url.hash = ''
  return url
}
