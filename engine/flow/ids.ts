/**
 * Creates a new id, unique in the installation. The engine has no randomness of its own: callers provide the source.
 */
export type IdSource = () => string

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Ids of 16 letters and digits (82 bits) from a source of random bytes. */
export function createIdSource(randomBytes: (count: number) => Uint8Array): IdSource {
  return () => Array.from(randomBytes(16), (byte) => ALPHABET[byte % 36]).join('')
}

/** Ids that are the same for each use of a prefix: for tests, and for imports that must be reproducible. */
export function createCountingIds(prefix: string): IdSource {
  let count = 0
  return () => `${prefix}${++count}`
}
