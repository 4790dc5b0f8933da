import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'

/** A table of numbers in a safetensors file: where its bytes are, and how they are to be read. */
export interface Tensor {
  dtype: keyof typeof BYTES
  shape: number[]
  /** in the file */
  start: number
  end: number
}

/** bytes per number */
export const BYTES = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I32: 4, I8: 1 } as const
/** The longest header that is read; a real one has some hundred bytes. */
const MOST_HEADER = 1_000_000

const header = z.record(
  z.string(),
  z.union([
    z.object({
      dtype: z.string().max(10),
      shape: z.array(z.int().min(0)).max(8),
      data_offsets: z.tuple([z.int().min(0), z.int().min(0)]),
    }),
    // `__metadata__`: texts
    z.record(z.string(), z.string()),
  ]),
)

/**
 * Reads which tables a safetensors file has: eight bytes with the header's length, the header as JSON, then the
 * numbers. Source: the format's description, https://huggingface.co/docs/safetensors.
 * @param size of the file in bytes
 * @returns the tables whose kind of numbers is known, by name
 * @throws Error a sentence for whoever added the file
 */
export async function readTensors(file: FileHandle, size: number): Promise<Map<string, Tensor>> {
  const length = size < 8 ? 0n : (await bytesAt(file, 0, 8)).readBigUInt64LE(0)
  if (length < 2n || length > BigInt(MOST_HEADER) || Number(length) + 8 > size)
    throw new Error('model.safetensors is no file of that format, or not all of it came')
  const parsed = header.safeParse(jsonOf((await bytesAt(file, 8, Number(length))).toString('utf8')))
  if (!parsed.success) throw new Error('model.safetensors has a header that can’t be read')
  const begin = 8 + Number(length)
  const tensors = new Map<string, Tensor>()
  for (const [name, entry] of Object.entries(parsed.data)) {
    if (!isTensor(entry) || !isDtype(entry.dtype)) continue
    const [from, to] = entry.data_offsets
    const numbers = entry.shape.reduce((product, side) => product * side, 1)
    if (to < from || begin + to > size || to - from !== numbers * BYTES[entry.dtype])
      throw new Error(`model.safetensors ends before its table "${name.slice(0, 60)}" does: not all of it came`)
    tensors.set(name, { dtype: entry.dtype, shape: entry.shape, start: begin + from, end: begin + to })
  }
  return tensors
}

type Entry = z.infer<typeof header>[string]
const isTensor = (entry: Entry): entry is Extract<Entry, { data_offsets: unknown }> =>
  Array.isArray((entry as { data_offsets?: unknown }).data_offsets)
const isDtype = (dtype: string): dtype is Tensor['dtype'] => Object.hasOwn(BYTES, dtype)

/** @throws Error if the file ends before */
export async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, start + read)
    if (bytesRead === 0) throw new Error('a file of the model ends too early: not all of it came')
    read += bytesRead
  }
  return buffer
}

/** Numbers as they lie in the file, little-endian. */
export function numbersOf(bytes: Buffer, dtype: Tensor['dtype']): Float64Array {
  const size = BYTES[dtype]
  const read = READERS[dtype]
  return Float64Array.from({ length: bytes.length / size }, (_, at) => read(bytes, at * size))
}

const READERS: Record<Tensor['dtype'], (bytes: Buffer, at: number) => number> = {
  F64: (bytes, at) => bytes.readDoubleLE(at),
  F32: (bytes, at) => bytes.readFloatLE(at),
  F16: (bytes, at) => halfFloat(bytes.readUInt16LE(at)),
  BF16: (bytes, at) => bfloat(bytes.readUInt16LE(at)),
  I64: (bytes, at) => Number(bytes.readBigInt64LE(at)),
  I32: (bytes, at) => bytes.readInt32LE(at),
  I8: (bytes, at) => bytes.readInt8(at),
}

/** IEEE 754 binary16: a sign, five bits of exponent, ten of fraction. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** The upper half of a binary32. */
const scratch = new DataView(new ArrayBuffer(4))
function bfloat(bits: number): number {
  scratch.setUint32(0, bits << 16)
  return scratch.getFloat32(0)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
