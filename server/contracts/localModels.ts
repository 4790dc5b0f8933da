import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'

/**
 * Embedding models that lie on this machine: static ones in model2vec's format, a table of tokens' vectors, and
 * transformers in ONNX.
 */
export const MOST_LOCAL_MODELS = 3
/** bytes; the largest published static one (500,000 tokens by 256 numbers) has 512 MB */
export const LOCAL_MODEL_CAPS = {
  'config.json': 100_000,
  'README.md': 1_000_000,
  'tokenizer.json': 40_000_000,
  'model.safetensors': 1_000_000_000,
  // in use it takes about three times as much memory, of which 1 GB is the runtime's most (models/local/onnx.ts)
  'model.onnx': 400_000_000,
} as const
export type LocalModelFile = keyof typeof LOCAL_MODEL_CAPS
/** Either of them holds a model's numbers; `tokenizer.json` is needed with both. */
export const WEIGHT_FILES = ['model.safetensors', 'model.onnx'] as const satisfies LocalModelFile[]

/** Which files are missing for a model, as people are told; `present`: those that are here. */
export const missingModelFiles = (present: readonly string[]): string[] => [
  ...(present.includes('tokenizer.json') ? [] : ['tokenizer.json']),
  ...(WEIGHT_FILES.some((name) => present.includes(name)) ? [] : [WEIGHT_FILES.join(' / ')]),
]

/** How a transformer's vectors of tokens become one: their average, or that of the first token. */
export const poolings = ['mean', 'first'] as const
const MOST_PREFIX = 200
const prefix = z.string().max(MOST_PREFIX, tooLong(MOST_PREFIX))
/** What a transformer was trained with, as its page says. They change its vectors: passages are embedded again. */
const readingSettings = {
  /** stands before each question, such as "query: " */
  question_prefix: prefix,
  /** stands before each passage, such as "passage: " */
  passage_prefix: prefix,
  pooling: z.enum(poolings),
}

export const localModelStates = ['waiting', 'loading', 'packing', 'ready', 'failed'] as const

export const localModelSchema = z.strictObject({
  gid,
  name: z.string(),
  /** null: its files were uploaded */
  address: z.string().nullable(),
  /** waiting: for files to be uploaded; packing: it is checked and made smaller */
  state: z.enum(localModelStates),
  /** why it failed */
  problem: z.string().nullable(),
  loaded_bytes: z.int(),
  /** of all files; null: not known yet */
  total_bytes: z.int().nullable(),
  /** as its page states it; null: it states none */
  licence: z.string().nullable(),
  /** null: not known before its files are here */
  kind: z.enum(['static', 'onnx']).nullable(),
  ...readingSettings,
  /** of model.safetensors or model.onnx, hexadecimal */
  sha256: z.string().nullable(),
  /** numbers per vector */
  dimension: z.int().nullable(),
  tokens: z.int().nullable(),
  /** questions and passages of the project are compared by it */
  in_use: z.boolean(),
  created_at: z.string(),
})
export type LocalModel = z.infer<typeof localModelSchema>

const inProject = z.strictObject({ pgid: gid })
const ofModel = z.strictObject({ pgid: gid, gid })

export const listLocalModels = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/local-models',
  access: { feature: 'ai.view' },
  params: inProject,
  answer: z.strictObject({
    models: z.array(localModelSchema),
    /** whether whoever runs the installation lets projects add models */
    allowed: z.boolean(),
    /** the embedding model that is used, by its name; null: meaning is compared by the built-in words' vectors */
    embedder: z.string().nullable(),
  }),
})
/** Adds a model by the address of its page or folder, or one whose files are uploaded afterwards. */
export const addLocalModel = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/local-models',
  access: { feature: 'ai.update' },
  params: inProject,
  body: z.strictObject({
    /** null: its files are uploaded */
    address: z.string().trim().min(1, 'Enter the address of the model').max(caps.url, tooLong(caps.url)).nullable(),
    /** default: the end of the address */
    name: z.string().trim().max(100, tooLong(100)).default(''),
  }),
  answer: z.strictObject({ model: localModelSchema }),
})
/** Uploads one file of a waiting model; the body is the file. What was uploaded before `at` stays. */
export const uploadLocalModelFile = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/local-models/:gid/files',
  access: { feature: 'ai.update' },
  params: ofModel,
  query: z.strictObject({
    name: z.enum(['config.json', 'README.md', 'tokenizer.json', 'model.safetensors', 'model.onnx']),
  }),
  body: z.custom<AsyncIterable<Uint8Array>>(
    (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
    'Send the file itself as the body, not JSON',
  ),
  bodyLimit: LOCAL_MODEL_CAPS['model.safetensors'],
  answer: z.strictObject({ model: localModelSchema }),
})
/** Goes on where it stopped: the download of a failed one, or, once all files are uploaded, its check. */
export const continueLocalModel = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/local-models/:gid/continue',
  access: { feature: 'ai.update' },
  params: ofModel,
  answer: z.strictObject({ model: localModelSchema }),
})
/** Starts or ends its use; at most one is in use. */
export const useLocalModel = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/local-models/:gid',
  access: { feature: 'ai.update' },
  params: ofModel,
  body: z.strictObject({ in_use: z.boolean() }),
  answer: z.strictObject({ model: localModelSchema }),
})
/** Changes how a transformer is asked; what is embedded by it is embedded again. */
export const changeLocalModel = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/local-models/:gid/settings',
  access: { feature: 'ai.update' },
  params: ofModel,
  body: z.strictObject(readingSettings).partial(),
  answer: z.strictObject({ model: localModelSchema }),
})
export const deleteLocalModel = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/local-models/:gid',
  access: { feature: 'ai.update' },
  params: ofModel,
  answer: ok,
})
/** Model servers on this machine that the project may call, and has not connected. */
export const findLocalServers = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/local-servers',
  access: { feature: 'ai.update' },
  params: inProject,
  limit: { by: 'user', most: 30 },
  answer: z.strictObject({
    servers: z.array(
      z.strictObject({
        name: z.string(),
        base_url: z.string(),
        models: z.array(z.string()),
        embedding_models: z.array(z.string()),
      }),
    ),
    /** whether this machine may be called at all: else a private network is opened in the project's settings first */
    may_call: z.boolean(),
  }),
})
