import { printMarkup } from './markup'
import type { VisitorText } from './translation'

const remembered = new WeakMap<object, string>()

/**
 * A hash of 16 hex digits, to detect whether a text has changed since it was translated. Variables count by their
 * position only, since a block's copy in another flow refers to the same variables by other ids.
 */
export function fingerprint(text: VisitorText): string {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const made = hash(printMarkup(text, () => ''))
  remembered.set(text, made)
  return made
}

/**
 * cyrb53 by Bryc (public domain) with both 32-bit lanes. Not for security; the probability of a collision is 1 in
 * 10^19.
 */
function hash(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [b, a].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
}
