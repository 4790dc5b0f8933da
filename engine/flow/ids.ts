/** Makes a new id, unique in the installation. The engine has no randomness of its own: callers bring the source. */
export type IdSource = () => string

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Ids of 16 letters and digits (82 bits) from any source of bytes. */
export function createIdSource(randomBytes: (count: number) => Uint8Array): IdSource {
  return () => Array.from(randomBytes(16), (byte) => ALPHABET[byte % 36]).join('')
}

/** Ids that repeat for the same prefix: for tests and for imports that must give the same result twice. */
export function createCountingIds(prefix: string): IdSource {
  let count = 0
  return () => `${prefix}${++count}`
}
