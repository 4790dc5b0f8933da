import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Averages } from './impacts'
import { GONE, type Part } from './lexicalIndex'
import { SEGMENT } from './segment'

/** How the chunks of an index were weighed: the lengths of fields, and the number of chunks when they were measured. */
export interface Measured {
  averages: Averages
  builtSize: number
}
export interface StoredPart {
  part: Part
  measured: Measured
}

/** Raise it with what a record, a feature or an impact means: files of an earlier form are not read. */
const FORM = 0x31584950
const ROLES = ['passage', 'question', 'answer'] as const
const KINDS = 4
/** Form, chunks, features, postings; then the measures as numbers of 64 bits. */
const HEAD = 4 * 4
const MEASURES = 8 * (1 + ROLES.length * KINDS)
/** A posting takes three bytes, a chunk some thousand postings: no segment of ours comes near. */
const LARGEST = 1 << 29
/** Bytes that are read and checked between two pauses: a few ms. */
const STEP = 1 << 22

const bytesOf = (chunks: number, features: number, postings: number): number =>
  HEAD + MEASURES + chunks * 12 + features * 4 + (features + 1) * 4 + postings * 3

/** A part as the bytes of a file: arrays in the order of this machine's bytes, the widest numbers first. */
export function packPart({ segment, ids, stamps }: Part, { averages, builtSize }: Measured): Uint8Array {
  const { features, starts, chunks, impacts, size } = segment
  const bytes = new Uint8Array(bytesOf(size, features.length, chunks.length))
  let at = 0
  const write = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  write(Uint32Array.of(FORM, size, features.length, chunks.length))
  write(Float64Array.of(builtSize, ...ROLES.flatMap((role) => averages[role])))
  for (const array of [ids, stamps, features, starts, chunks, impacts]) write(array)
  return bytes
}

/** A name that says what is in a file: it is checked when it is read. @param breathe pauses between two steps */
export async function nameOf(bytes: Uint8Array, breathe: () => Promise<void>): Promise<string> {
  let sum = 0
  for (let at = 0; at < bytes.length; at += STEP) {
    sum = crc32(bytes.subarray(at, at + STEP), sum)
    await breathe()
  }
  return `${sum.toString(16).padStart(8, '0')}-${bytes.length}.segment`
}

const NAME = /^([\da-f]{8})-(\d{1,9})\.segment$/

/**
 * Reads a file beside the event loop, into one buffer that the arrays look at. @param name of `nameOf`
 * @returns null: it is missing, damaged, of another form or somebody else's
 */
export async function readPart(path: string, name: string): Promise<StoredPart | null> {
  const [, sum = '', length = ''] = NAME.exec(name) ?? []
  const size = Number(length)
  if (sum === '' || size < HEAD + MEASURES || size > LARGEST) return null
  const file = await open(path).catch(() => null)
  try {
    const bytes = file && (await read(file, size, Number.parseInt(sum, 16)).catch(() => null))
    return bytes && partOf(bytes)
  } finally {
    await file?.close()
  }
}

async function read(file: FileHandle, size: number, sum: number): Promise<ArrayBuffer | null> {
  if ((await file.stat()).size !== size) return null
  const buffer = new ArrayBuffer(size)
  const step = (at: number) => file.read(new Uint8Array(buffer, at, Math.min(STEP, size - at)))
  let found = 0
  let coming = step(0)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await coming
    if (bytesRead === 0) return null
    const end = at + bytesRead
    // the next bytes come while these are checked
    if (end < size) coming = step(end)
    found = crc32(new Uint8Array(buffer, at, bytesRead), found)
    at = end
  }
  return found === sum ? buffer : null
}

function partOf(buffer: ArrayBuffer): StoredPart | null {
  const [form, size = 0, distinct = 0, postings = 0] = new Uint32Array(buffer, 0, 4)
  if (form !== FORM || size === 0 || size > SEGMENT || bytesOf(size, distinct, postings) !== buffer.byteLength)
    return null
  const [builtSize = 0, ...lengths] = new Float64Array(buffer, HEAD, MEASURES / 8)
  let at = HEAD + MEASURES
  const next = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const ids = new Float64Array(buffer, next(size * 8), size)
  const stamps = new Uint32Array(buffer, next(size * 4), size)
  const features = new Uint32Array(buffer, next(distinct * 4), distinct)
  const starts = new Uint32Array(buffer, next((distinct + 1) * 4), distinct + 1)
  const chunks = new Uint16Array(buffer, next(postings * 2), postings)
  const impacts = new Uint8Array(buffer, next(postings), postings)
  if (starts[distinct] !== postings) return null
  const live = ids.reduce((count, id) => (id === GONE ? count : count + 1), 0)
  const averages = Object.fromEntries(
    ROLES.map((role, place) => [role, lengths.slice(place * KINDS, (place + 1) * KINDS)]),
  ) as Averages
  return {
    part: { segment: { features, starts, chunks, impacts, size }, ids, stamps, live },
    measured: { averages, builtSize },
  }
}
