import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'

/** Embedding models that lie on this machine, in model2vec's format: a table of tokens' vectors. */
export const MOST_LOCAL_MODELS = 3
/** bytes; the largest published one (500,000 tokens by 256 numbers) has 512 MB */
export const LOCAL_MODEL_CAPS = {
  'config.json': 100_000,
  'README.md': 1_000_000,
  'tokenizer.json': 40_000_000,
  'model.safetensors': 1_000_000_000,
} as const
export type LocalModelFile = keyof typeof LOCAL_MODEL_CAPS
/** Those without which there is no model. */
export const NEEDED_MODEL_FILES = ['tokenizer.json', 'model.safetensors'] as const satisfies LocalModelFile[]

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
  /** of model.safetensors, hexadecimal */
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
  query: z.strictObject({ name: z.enum(['config.json', 'README.md', 'tokenizer.json', 'model.safetensors']) }),
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
