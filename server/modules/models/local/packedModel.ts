/**
 * A model as it is used: `vectors.bin` beside its `tokenizer.json`. A byte a number, since vectors are averaged over
 * many tokens and then kept in a byte a number anyway (knowledge/retrieval/quantise.ts): a quarter of the memory.
 *
 *   4 bytes "PLM1" · uint32 tokens, rows, dimension, 0
 *   uint32 × tokens   the row of each token
 *   float32 × tokens  its weight
 *   float32 × rows    what a row's codes are multiplied by
 *   int8 × rows × dimension
 */
export interface PackedModel {
  tokens: number
  dimension: number
  rowOf: Uint32Array
  weights: Float32Array
  scales: Float32Array
  codes: Int8Array
}

export const MAGIC = 'PLM1'
export const HEAD_BYTES = 20
export const VECTORS_FILE = 'vectors.bin'

export function headOf({ tokens, rows, dimension }: { tokens: number; rows: number; dimension: number }): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 0, 'latin1')
  head.writeUInt32LE(tokens, 4)
  head.writeUInt32LE(rows, 8)
  head.writeUInt32LE(dimension, 12)
  return head
}

/** @throws Error if it is no such file, or not all of one */
export function readPacked(file: Buffer): PackedModel {
  if (file.length < HEAD_BYTES || file.toString('latin1', 0, 4) !== MAGIC) throw new Error('no packed model')
  const tokens = file.readUInt32LE(4)
  const rows = file.readUInt32LE(8)
  const dimension = file.readUInt32LE(12)
  if (file.length !== HEAD_BYTES + 8 * tokens + 4 * rows + rows * dimension) throw new Error('a packed model is cut')
  // a small file may lie anywhere in a shared buffer, and numbers of four bytes can't be read there
  const { buffer, byteOffset } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file)
  const start = byteOffset + HEAD_BYTES
  return {
    tokens,
    dimension,
    rowOf: new Uint32Array(buffer, start, tokens),
    weights: new Float32Array(buffer, start + 4 * tokens, tokens),
    scales: new Float32Array(buffer, start + 8 * tokens, rows),
    codes: new Int8Array(buffer, start + 8 * tokens + 4 * rows, rows * dimension),
  }
}

/** The weighted sum of tokens' vectors, of length 1; all zero where no token has one. */
export function averageOf(model: PackedModel, ids: readonly number[], unknown: number | null): Float32Array {
  const { tokens, dimension, rowOf, weights, scales, codes } = model
  const sum = new Float32Array(dimension)
  for (const id of ids) {
    if (id === unknown || id < 0 || id >= tokens) continue
    const row = rowOf[id] as number
    const factor = (weights[id] as number) * (scales[row] as number)
    const start = row * dimension
    for (let at = 0; at < dimension; at++) sum[at] = (sum[at] as number) + factor * (codes[start + at] as number)
  }
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((value) => value / length)
}
