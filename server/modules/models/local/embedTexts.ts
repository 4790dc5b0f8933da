import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { averageOf, type PackedModel, readPacked, VECTORS_FILE } from './packedModel'
import { readTokenizer, type TextTokenizer } from './tokenizer'

export interface EmbedInput {
  folder: string
  texts: readonly string[]
}

/** Models that this thread has read, the last used one last: two projects may take turns. */
const KEPT = 2
const read = new Map<string, Promise<Ready>>()
type Ready = { model: PackedModel; tokenizer: TextTokenizer }

/** @returns a vector of length 1 per text. In a thread with limits. @throws Error if the model's files are gone */
export async function embedTexts({ folder, texts }: EmbedInput): Promise<Float32Array[]> {
  const { model, tokenizer } = await readyOf(folder)
  return texts.map((text) => averageOf(model, tokenizer.idsOf(text), tokenizer.unknown))
}

function readyOf(folder: string): Promise<Ready> {
  const before = read.get(folder)
  const ready = before ?? load(folder)
  read.delete(folder)
  read.set(folder, ready)
  ready.catch(() => read.delete(folder))
  for (const other of [...read.keys()].slice(0, -KEPT)) read.delete(other)
  return ready
}

async function load(folder: string): Promise<Ready> {
  const [file, tokenizer] = await Promise.all([readFile(join(folder, VECTORS_FILE)), readTokenizer(folder)])
  return { model: readPacked(file), tokenizer }
}
