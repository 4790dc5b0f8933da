import { GitError } from './pktLines'

/**
 * Makes an object from another one and what differs: parts that are copied, and bytes that are new.
 * @param most bytes of what is made; null is returned for more, which is said at the beginning
 * @throws GitError damaged
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array, most: number): Uint8Array | null {
  let at = 0
  const byte = (): number => {
    const value = delta[at++]
    if (value === undefined) throw new GitError('damaged')
    return value
  }
  const size = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      if (shift > 46) throw new GitError('damaged')
      const next = byte()
      value += (next & 127) * 2 ** shift
      if (!(next & 128)) return value
    }
  }
  /** a number of which only the bytes are there that are not 0 */
  const sparse = (flags: number, bytes: number): number => {
    let value = 0
    for (let index = 0; index < bytes; index++) if (flags & (1 << index)) value += byte() * 2 ** (8 * index)
    return value
  }
  if (size() !== base.length) throw new GitError('damaged')
  const length = size()
  if (length > most) return null
  const made = new Uint8Array(length)
  let end = 0
  const put = (part: Uint8Array, wanted: number) => {
    if (part.length !== wanted || end + wanted > length) throw new GitError('damaged')
    made.set(part, end)
    end += wanted
  }
  while (at < delta.length) {
    const command = byte()
    if (command & 128) {
      const offset = sparse(command & 15, 4)
      const count = sparse((command >> 4) & 7, 3) || 65_536
      put(base.subarray(offset, offset + count), count)
    } else if (command > 0) {
      put(delta.subarray(at, at + command), command)
      at += command
    } else throw new GitError('damaged')
  }
  if (end !== length) throw new GitError('damaged')
  return made
}
