/** Git's frames: four hexadecimal digits say how long a line is, these included; null: an end (0000, 0001, 0002). */
export function* readPktLines(bytes: Uint8Array): Generator<Uint8Array | null> {
  for (let at = 0; at < bytes.length; ) {
    const digits = Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
    if (length < 3) {
      at += 4
      yield null
    } else {
      if (!(length >= 4) || at + length > bytes.length) throw new GitError('damaged')
      yield bytes.subarray(at + 4, at + length)
      at += length
    }
  }
}

export const pktLine = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
export const FLUSH = '0000'

/** Thrown for an answer that is none of Git's, or larger than is read. */
export class GitError extends Error {
  override readonly name = 'GitError'
  constructor(
    readonly code: 'damaged' | 'too_large' | 'refused',
    detail = '',
  ) {
    super(detail || code)
  }
}
