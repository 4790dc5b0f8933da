import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SignatureRule } from '../contracts/route'

/**
 * Verifies an HMAC-SHA-256 signature over the body's bytes, in constant time.
 * @param given the header's value
 * @param secret null if there is none: returns false, after the same time
 */
export function isSigned(
  body: Buffer,
  given: string | string[] | undefined,
  { prefix = '', encoding = 'hex' }: SignatureRule,
  secret: string | null,
): boolean {
  const wanted = createHmac('sha256', secret ?? '')
    .update(body)
    .digest()
  const text = typeof given === 'string' && given.startsWith(prefix) ? given.slice(prefix.length) : ''
  const signature = Buffer.from(text, encoding)
  // a signature of the wrong length is compared too, with one that can't match
  const same = timingSafeEqual(wanted, signature.length === wanted.length ? signature : Buffer.alloc(wanted.length))
  return same && signature.length === wanted.length && !!secret
}

/** More parts than any sender has: its time, a signature by each of two secrets while one replaces the other. */
const MOST_PARTS = 10

/**
 * Verifies an HMAC-SHA-256 signature over a time and the body's bytes, in constant time: the header holds
 * `t=<seconds>,v1=<signature>`. There may be several signatures, of which one has to be right, and other parts.
 * @param secret null if there is none: returns false
 */
export function isSignedInTime(
  body: Buffer,
  given: string | string[] | undefined,
  { within, ...rule }: SignatureRule & { within: number },
  secret: string | null,
  now: Date,
): boolean {
  const parts = typeof given === 'string' && given.length <= 2_000 ? given.split(',', MOST_PARTS) : []
  const time = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2) ?? ''
  const isNow = Math.abs(now.getTime() / 1_000 - Number(time)) <= within
  // compared all the same, so that nothing is learnt from how long it takes
  const signed = Buffer.concat([Buffer.from(`${time}.`), body])
  const signatures = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3))
  const matches = signatures.map((signature) => isSigned(signed, signature, rule, secret))
  return matches.includes(true) && isNow && time !== ''
}

/**
 * Verifies an ECDSA signature (P-256, SHA-256) over the time in a header followed by the body's bytes.
 * @param publicKey base64 of the key as SPKI; null if there is none: returns false
 */
export function isSignedByKey(
  body: Buffer,
  headers: IncomingHttpHeaders,
  { header, timestamp, encoding = 'base64' }: SignatureRule & { timestamp: string },
  publicKey: string | null,
): boolean {
  const [given, time] = [headers[header], headers[timestamp]]
  if (publicKey === null || typeof given !== 'string' || typeof time !== 'string') return false
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return verify('sha256', Buffer.concat([Buffer.from(time), body]), key, Buffer.from(given, encoding))
}
