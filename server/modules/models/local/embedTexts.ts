import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalModel } from '../../../contracts/localModels'
import { hasOnnx, openOnnx } from './onnxModel'
import { averageOf, readPacked, VECTORS_FILE } from './packedModel'
import { readTokenizer } from './tokenizer'

export interface EmbedInput {
  folder: string
  texts: readonly string[]
  /** how a transformer's vectors of tokens become one; static models have one way */
  pooling?: LocalModel['pooling']
}

interface Ready {
  kind: NonNullable<LocalModel['kind']>
  vectorOf(text: string, pooling: LocalModel['pooling']): Float32Array | Promise<Float32Array>
  close(): Promise<void>
}

/** Models that this thread has read, the last used one last: two projects may take turns. */
const KEPT = 2
const read = new Map<string, Promise<Ready>>()

/** @returns a vector of length 1 per text. In a thread with limits. @throws Error if the model's files are gone */
export async function embedTexts({ folder, texts, pooling = 'mean' }: EmbedInput): Promise<Float32Array[]> {
  const model = await readyOf(folder)
  const vectors: Float32Array[] = []
  for (const text of texts) vectors.push(await model.vectorOf(text, pooling))
  return vectors
}

function readyOf(folder: string): Promise<Ready> {
  const before = read.get(folder)
  const ready = before ?? load(folder)
  read.delete(folder)
  read.set(folder, ready)
  ready.catch(() => read.delete(folder))
  for (const other of [...read.keys()].slice(0, -KEPT)) forget(other)
  return ready
}

async function load(folder: string): Promise<Ready> {
  if (await hasOnnx(folder)) {
    // the runtime's memory is for one
    for (const [other, ready] of [...read])
      if (other !== folder && (await ready.catch(() => null))?.kind === 'onnx') await forget(other)
    return { kind: 'onnx', ...(await openOnnx(folder)) }
  }
  const [file, tokenizer] = await Promise.all([readFile(join(folder, VECTORS_FILE)), readTokenizer(folder)])
  const model = readPacked(file)
  return {
    kind: 'static',
    vectorOf: (text) => averageOf(model, tokenizer.idsOf(text), tokenizer.unknown),
    close: async () => undefined,
  }
}

async function forget(folder: string): Promise<void> {
  const ready = read.get(folder)
  read.delete(folder)
  await ready?.then(({ close }) => close()).catch(() => undefined)
}
