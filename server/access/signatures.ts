import { createHmac, timingSafeEqual } from 'node:crypto'
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
