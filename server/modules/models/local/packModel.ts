import { type FileHandle, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { licenceOf, type PackedFacts, sha256Of } from './fileFacts'
import { checkOnnx, hasOnnx } from './onnxModel'
import { headOf, VECTORS_FILE } from './packedModel'
import { BYTES, bytesAt, numbersOf, readTensors, type Tensor } from './safetensors'
import { readTokenizer } from './tokenizer'

/** The names under which tables of tokens' vectors are published: model2vec's, and that of sentence-transformers. */
const VECTORS = ['embeddings', 'embedding.weight']
/** Numbers in all: those of the largest published model are 128 million. */
const MOST_NUMBERS = 300_000_000
const MOST_DIMENSION = 4_096
/** rows that are read at once */
const AT_ONCE = 1_024

/**
 * Checks a model's files. Of a static one `vectors.bin` is written beside them, whole or not at all; one in ONNX stays
 * as it is. In a thread with limits: the files are foreign.
 * @throws Error a sentence for whoever added the files
 */
export async function packModel({ folder }: { folder: string }): Promise<PackedFacts> {
  return (await hasOnnx(folder)) ? checkOnnx(folder) : packStatic(folder)
}

async function packStatic(folder: string): Promise<PackedFacts> {
  const tokenizer = await readTokenizer(folder)
  tokenizer.idsOf('Hello, world')
  const path = join(folder, 'model.safetensors')
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tensors = await readTensors(file, size)
    const vectors = VECTORS.map((name) => tensors.get(name)).find((tensor) => tensor !== undefined)
    if (!vectors)
      throw new Error(
        'model.safetensors has no table of tokens’ vectors ("embeddings"): only static models in model2vec’s format, and models in ONNX, can be used',
      )
    const [rows = 0, dimension = 0] = vectors.shape
    if (vectors.shape.length !== 2 || rows === 0 || dimension === 0 || dimension > MOST_DIMENSION)
      throw new Error(`model.safetensors has vectors of the shape [${vectors.shape.join(', ')}], which is no table`)
    if (rows * dimension > MOST_NUMBERS) throw new Error('model.safetensors has more than 300 million numbers')
    const { rowOf, weights } = await readTokens(file, tensors, rows)
    const partial = join(folder, `${VECTORS_FILE}.part`)
    await write(partial, file, { vectors, rows, dimension, rowOf, weights })
    await rename(partial, join(folder, VECTORS_FILE))
    const [sha256, licence] = await Promise.all([sha256Of(path), licenceOf(folder)])
    return { kind: 'static', sha256, dimension, tokens: rowOf.length, licence }
  } finally {
    await file.close()
  }
}

interface Tokens {
  rowOf: Uint32Array
  weights: Float32Array
}

/** Which row a token has and what it weighs; where the file says nothing, token n has row n, and all weigh the same. */
async function readTokens(file: FileHandle, tensors: Map<string, Tensor>, rows: number): Promise<Tokens> {
  const mapping = await columnOf(file, tensors.get('mapping'), 'mapping')
  const weighted = await columnOf(file, tensors.get('weights'), 'weights')
  const count = mapping?.length ?? rows
  if (weighted && weighted.length !== count)
    throw new Error(`model.safetensors has ${weighted.length} weights for ${count} tokens`)
  const rowOf = mapping ? Uint32Array.from(mapping) : Uint32Array.from({ length: rows }, (_, at) => at)
  if (mapping?.some((row) => !Number.isInteger(row) || row < 0 || row >= rows))
    throw new Error('model.safetensors maps tokens to rows that it does not have')
  const weights = weighted ? Float32Array.from(weighted) : new Float32Array(count).fill(1)
  if (!weights.every(Number.isFinite)) throw new Error('model.safetensors has a weight that is no number')
  return { rowOf, weights }
}

async function columnOf(file: FileHandle, tensor: Tensor | undefined, name: string): Promise<Float64Array | null> {
  if (!tensor) return null
  if (tensor.end - tensor.start > 50_000_000) throw new Error(`model.safetensors has too many ${name}`)
  return numbersOf(await bytesAt(file, tensor.start, tensor.end - tensor.start), tensor.dtype)
}

async function write(
  path: string,
  file: FileHandle,
  { vectors, rows, dimension, rowOf, weights }: Tokens & { vectors: Tensor; rows: number; dimension: number },
): Promise<void> {
  const scales = new Float32Array(rows)
  const out = await open(path, 'w')
  try {
    const beforeScales = headOf({ tokens: rowOf.length, rows, dimension }).length + 8 * rowOf.length
    let end = beforeScales + 4 * rows
    const rowBytes = dimension * BYTES[vectors.dtype]
    for (let row = 0; row < rows; row += AT_ONCE) {
      const count = Math.min(AT_ONCE, rows - row)
      const read = numbersOf(await bytesAt(file, vectors.start + row * rowBytes, count * rowBytes), vectors.dtype)
      const codes = new Int8Array(count * dimension)
      for (let at = 0; at < count; at++)
        scales[row + at] = codeRow(
          read.subarray(at * dimension, (at + 1) * dimension),
          codes.subarray(at * dimension, (at + 1) * dimension),
        )
      await out.write(codes, 0, codes.length, end)
      end += codes.length
    }
    await out.write(headOf({ tokens: rowOf.length, rows, dimension }), 0, undefined, 0)
    const columns = Buffer.concat([bytesOf(rowOf), bytesOf(weights), bytesOf(scales)])
    await out.write(columns, 0, columns.length, beforeScales - 8 * rowOf.length)
    await out.sync()
  } finally {
    await out.close()
  }
}

/** @param codes gets the row in whole numbers from -127 to 127. @returns what they are multiplied by */
function codeRow(row: Float64Array, codes: Int8Array): number {
  let most = 0
  for (const value of row) {
    if (!Number.isFinite(value)) throw new Error('model.safetensors has a vector that is none')
    most = Math.max(most, Math.abs(value))
  }
  const scale = most / 127
  if (scale > 0) for (const [at, value] of row.entries()) codes[at] = Math.round(value / scale)
  return scale
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
