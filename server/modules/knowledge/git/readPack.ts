import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { applyDelta } from './applyDelta'
import { GitError } from './pktLines'

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag'
export interface GitObject {
  kind: ObjectKind
  bytes: Uint8Array
}
export type Objects = Map<string, GitObject>

/** What is read of a pack at most: what goes beyond is an attack, or no documentation. */
export interface PackLimits {
  objects: number
  /** bytes of all objects, unpacked */
  bytes: number
  /** bytes of one object; a larger file is left out, a larger tree is refused */
  object: number
}

const KINDS: Readonly<Record<number, ObjectKind>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFFSET_DELTA = 6
const NAMED_DELTA = 7
/** Objects of a pack may be told as changes of others, those of others again; Git itself writes 50 at most. */
const DEEPEST = 250

interface Delta {
  at: number
  base: number | string
  delta: Uint8Array
}

/**
 * Unpacks a pack (version 2) within limits, which are checked before anything is unpacked: each object says how large
 * it is. Foreign bytes: call it in a worker thread.
 * @returns the objects by their names. @throws GitError damaged, too_large
 * @see https://git-scm.com/docs/gitformat-pack
 */
export function readPack(pack: Uint8Array, limits: PackLimits): Objects {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength)
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'PACK' || bytes.readUInt32BE(4) !== 2)
    throw new GitError('damaged')
  const count = bytes.readUInt32BE(8)
  if (count > limits.objects) throw new GitError('too_large', `${count} objects`)
  const sum = createHash('sha1').update(bytes.subarray(0, -20)).digest()
  if (!sum.equals(bytes.subarray(-20))) throw new GitError('damaged')

  const objects: Objects = new Map()
  /** names of what was unpacked, by their places; null: too large to be of use */
  const names = new Map<number, string | null>()
  const deltas: Delta[] = []
  let left = limits.bytes
  let at = 12
  for (let index = 0; index < count; index++) {
    const start = at
    const { type, size, next } = readHeader(bytes, at)
    at = next
    let base: number | string | null = null
    if (type === OFFSET_DELTA) {
      const { distance, next: end } = readDistance(bytes, at)
      base = start - distance
      at = end
    } else if (type === NAMED_DELTA) {
      base = bytes.toString('hex', at, at + 20)
      at += 20
    }
    left -= Math.min(size, limits.object)
    if (left < 0) throw new GitError('too_large', `${limits.bytes / 1e6} MB`)
    const { content, used } = inflate(bytes, at, size, limits)
    at += used
    if (base !== null) {
      if (content) deltas.push({ at: start, base, delta: content })
      else names.set(start, null)
    } else if (KINDS[type]) names.set(start, keep(objects, { kind: KINDS[type], bytes: content }))
    else throw new GitError('damaged')
  }
  resolve(deltas, { objects, names, limits, left })
  return objects
}

interface State {
  objects: Objects
  names: Map<number, string | null>
  limits: PackLimits
  left: number
}

/** Makes objects of changes, round by round: each round those whose base is there. */
function resolve(deltas: Delta[], state: State): void {
  const { objects, names, limits } = state
  let waiting = deltas
  for (let round = 0; waiting.length > 0 && round < DEEPEST; round++) {
    const next: Delta[] = []
    for (const each of waiting) {
      const name = typeof each.base === 'string' ? each.base : names.get(each.base)
      const base = name ? objects.get(name) : undefined
      if (base) {
        const bytes = applyDelta(base.bytes, each.delta, limits.object)
        state.left -= bytes?.length ?? 0
        if (state.left < 0) throw new GitError('too_large', `${limits.bytes / 1e6} MB`)
        names.set(each.at, keep(objects, { kind: base.kind, bytes }))
      } else if (name === null) names.set(each.at, null)
      else next.push(each)
    }
    if (next.length === waiting.length) return
    waiting = next
  }
}

/** Stores an object, and says its name. */
function keep(objects: Objects, { kind, bytes }: { kind: ObjectKind; bytes: Uint8Array | null }): string | null {
  if (bytes === null) return null
  const name = createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex')
  objects.set(name, { kind, bytes })
  return name
}

/** An object's type and size: three bits, then four bits of the size, then seven a byte. */
function readHeader(bytes: Buffer, from: number): { type: number; size: number; next: number } {
  let at = from
  let byte = bytes[at++] ?? 0
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let shift = 4; byte & 128; shift += 7) {
    if (shift > 46 || at >= bytes.length) throw new GitError('damaged')
    byte = bytes[at++] ?? 0
    size += (byte & 127) * 2 ** shift
  }
  return { type, size, next: at }
}

/** How far before a change its base lies. */
function readDistance(bytes: Buffer, from: number): { distance: number; next: number } {
  let at = from
  let byte = bytes[at++] ?? 0
  let distance = byte & 127
  for (let count = 0; byte & 128; count++) {
    if (count > 6 || at >= bytes.length) throw new GitError('damaged')
    byte = bytes[at++] ?? 0
    distance = (distance + 1) * 128 + (byte & 127)
  }
  return { distance, next: at }
}

/** Unpacks what has said its size; null for what is larger than an object may be, which is walked over. */
function inflate(bytes: Buffer, from: number, size: number, { object }: PackLimits) {
  const isWanted = size <= object
  if (size > MOST_SKIPPED) throw new GitError('too_large', 'a file of more than 100 MB')
  try {
    // the engine says how much of the pack it used, which nothing else does
    const { buffer, engine } = inflateSync(bytes.subarray(from), {
      maxOutputLength: Math.max(size, 1),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (buffer.length !== size) throw new GitError('damaged')
    return { content: isWanted ? buffer : null, used: engine.bytesWritten }
  } catch (error) {
    throw error instanceof GitError ? error : new GitError('damaged')
  }
}
/** A file that is not of use has to be unpacked all the same, to find where the next one begins. */
const MOST_SKIPPED = 100_000_000
