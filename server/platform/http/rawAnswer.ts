import { STATUS_CODES } from 'node:http'
import type { ApiError } from '../errors'

/** Headers of refusals that are sent before the headers of pages: no page, and nothing may be loaded by it. */
export const refusalHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/**
 * @returns an error as a complete HTTP response, for a socket on which no request was read; the connection ends with it
 */
export function rawAnswer({ status, envelope, retryAfter }: ApiError): Buffer {
  const body = JSON.stringify(envelope)
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...refusalHeaders,
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}
