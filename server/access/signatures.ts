import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignatureRule } from '../contracts/route'

/**
 * Whether a body was signed with the secret (HMAC with SHA-256 over its bytes as they came), in constant time.
 * @param given what the header says
 * @param secret null where there is none: nothing is signed then, and finding that out takes as long
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
  // a wrong length is compared as well, with what can't be right
  const same = timingSafeEqual(wanted, signature.length === wanted.length ? signature : Buffer.alloc(wanted.length))
  return same && signature.length === wanted.length && !!secret
}
