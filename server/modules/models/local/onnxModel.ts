import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-web/wasm'
import { z } from 'zod'
import { LOCAL_MODEL_CAPS, type LocalModel } from '../../../contracts/localModels'
import { licenceOf, type PackedFacts, sha256Of } from './fileFacts'
import { openSession, rowOf } from './onnxRuntime'
import { readTokenizer, type TextTokenizer } from './tokenizer'

/** A transformer that is ready for texts. */
export interface OnnxModel {
  /** @returns a vector of length 1. @throws Error a sentence, or the runtime's words */
  vectorOf(text: string, pooling: LocalModel['pooling']): Promise<Float32Array>
  /** Frees its memory. */
  close(): Promise<void>
}

const FILE = 'model.onnx'
/** Longer texts are cut: most models were trained with so many, and time grows with their square. */
const MOST_TOKENS = 512
const MOST_DIMENSION = 4_096
/** What a model may want to be given. */
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids']
/** Outputs with a vector per text, as sentence-transformers names it, and with one per token. */
const POOLED = 'sentence_embedding'
const PER_TOKEN = ['last_hidden_state', 'token_embeddings', 'hidden_states']

/** What foreign models make the runtime say belongs into no log. */
const QUIET = { logSeverityLevel: 4 } as const

export const hasOnnx = (folder: string): Promise<boolean> =>
  stat(join(folder, FILE)).then(
    () => true,
    () => false,
  )

/** @throws Error a sentence for whoever added the files */
export async function checkOnnx(folder: string): Promise<PackedFacts> {
  const { model, tokenizer } = await opened(folder)
  try {
    const { length } = await model.vectorOf('Hello, world', 'mean')
    const [sha256, licence] = await Promise.all([sha256Of(join(folder, FILE)), licenceOf(folder)])
    return { kind: 'onnx', sha256, dimension: length, tokens: tokenizer.count(), licence }
  } finally {
    await model.close()
  }
}

/** @throws Error a sentence for whoever added the files */
export const openOnnx = async (folder: string): Promise<OnnxModel> => (await opened(folder)).model

async function opened(folder: string): Promise<{ model: OnnxModel; tokenizer: TextTokenizer }> {
  const tokenizer = await readTokenizer(folder)
  const most = await mostTokens(folder)
  const session = await sessionOf(await bytesOf(join(folder, FILE)))
  const unknown = session.inputNames.find((name) => !INPUTS.includes(name))
  const output = [POOLED, ...PER_TOKEN].find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]
  if (unknown !== undefined || !session.inputNames.includes('input_ids') || output === undefined) {
    await session.release()
    throw new Error(
      unknown === undefined
        ? `${FILE} takes no input_ids: it is no model of texts`
        : `${FILE} wants "${unknown.slice(0, 60)}", which texts don’t have: it is no embedding model`,
    )
  }
  const model: OnnxModel = {
    async vectorOf(text, pooling) {
      const ids = tokenizer.framedIdsOf(text, most)
      // no model takes no token
      const given = await feeds(session, ids.length > 0 ? ids : [tokenizer.unknown ?? 0])
      const { data, dims } = await run(session, given, output)
      return unit(pooled(data, dims, pooling))
    },
    close: () => session.release(),
  }
  return { model, tokenizer }
}

async function sessionOf(bytes: Uint8Array): Promise<InferenceSession> {
  try {
    return await openSession(bytes)
  } catch (cause) {
    throw new Error(problemOf(cause), { cause })
  }
}

/** What each of its inputs is for one text: the tokens, all of which count, and belong to one sentence. */
async function feeds(session: InferenceSession, ids: readonly number[]) {
  const rows: Record<string, readonly number[]> = {
    input_ids: ids,
    attention_mask: ids.map(() => 1),
    token_type_ids: ids.map(() => 0),
  }
  const given = session.inputNames.map(async (name) => [name, await rowOf(rows[name] ?? ids)] as const)
  return Object.fromEntries(await Promise.all(given))
}

async function run(session: InferenceSession, given: Awaited<ReturnType<typeof feeds>>, output: string) {
  let answer: InferenceSession.OnnxValueMapType
  try {
    answer = await session.run(given, [output], QUIET)
  } catch (cause) {
    throw new Error(problemOf(cause), { cause })
  }
  const value = answer[output]
  if (!(value?.data instanceof Float32Array)) throw new Error(`${FILE} gives no numbers of four bytes`)
  return { data: value.data, dims: value.dims }
}

/** One vector of `[1, numbers]`, or of `[1, tokens, numbers]`. */
function pooled(data: Float32Array, dims: readonly number[], pooling: LocalModel['pooling']): Float32Array {
  const dimension = dims.at(-1) ?? 0
  const tokens = dims.length === 3 ? (dims[1] ?? 0) : 1
  if ((dims.length !== 2 && dims.length !== 3) || dims[0] !== 1 || tokens === 0 || dimension < 1)
    throw new Error(`${FILE} gives numbers of the shape [${dims.join(', ')}], which are no vectors`)
  if (dimension > MOST_DIMENSION)
    throw new Error(`${FILE} gives vectors of ${dimension} numbers: at most ${MOST_DIMENSION} can be used`)
  const sum = data.slice(0, dimension)
  if (pooling === 'first') return sum
  for (let at = dimension; at < tokens * dimension; at++)
    sum[at % dimension] = (sum[at % dimension] as number) + (data[at] as number)
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length)) throw new Error(`${FILE} gives vectors that are none`)
  return length === 0 ? vector : vector.map((value) => value / length)
}

const config = z.looseObject({ max_position_embeddings: z.int().min(8) })

/** Fewer than 512 where the model's own settings say so. */
async function mostTokens(folder: string): Promise<number> {
  const text = await readFile(join(folder, 'config.json'), 'utf8').catch(() => '')
  try {
    const { max_position_embeddings } = config.parse(JSON.parse(text))
    return Math.min(MOST_TOKENS, max_position_embeddings)
  } catch {
    return MOST_TOKENS
  }
}

async function bytesOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > LOCAL_MODEL_CAPS[FILE]) throw new Error(`${FILE} is too large`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** The runtime's words, for people: which of them mean too little memory, and the part that says what is wrong. */
function problemOf(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause)
  if (words.includes('bad_alloc') || words.includes('out of memory'))
    return 'The model takes more memory than there is for it: choose a smaller or quantised one'
  const at = words.indexOf('ERROR_MESSAGE:')
  const reason = (at < 0 ? words : words.slice(at + 'ERROR_MESSAGE:'.length)).trim().slice(0, 200)
  return `${FILE} can’t be run: ${reason}`
}
