import type { ToolSet } from 'ai'
import type { Json } from '../../../engine/values/json'
import type { Model } from '../../contracts/ai'

/** The built-in model, which needs no key: SPEC.md 9's default. */
export const BUILT_IN_MODEL = 1

export interface Prompt {
  /** what the editor and the product want; never what a visitor wrote */
  system: string
  messages: { role: 'user' | 'assistant'; content: string }[]
  temperature: number
}

/** What a model gave, or why it gave nothing, in a sentence for the editor. */
export type Written<Value> = { ok: true; value: Value } | { ok: false; error: string }

/** A model that can be asked. A failure is a result, never an exception. */
export interface ChatModel {
  write(prompt: Prompt): Promise<Written<string>>
  /** writes JSON of that JSON Schema; what comes back is JSON, and whether it fits is for the caller to check */
  fill(prompt: Prompt, schema: Record<string, Json>): Promise<Written<Json>>
}

/** What comes while a model writes. A failure is the last part, never an exception. */
export type StreamPart =
  | { type: 'text'; delta: string }
  | { type: 'tool'; name: string; input: Json; output: Json; ms: number; ok: boolean }
  | { type: 'end'; text: string; tokens: { input: number; output: number } | null }
  /** a sentence for the editor, without the key */
  | { type: 'failed'; error: string }

/** A model that streams, too. */
export interface OpenModel extends ChatModel {
  model: Model
  /** @param tools what it may call, at most `steps` times (5 unless said) */
  stream(prompt: Prompt, options?: { tools?: ToolSet; steps?: number; signal?: AbortSignal }): AsyncIterable<StreamPart>
}
/** What a text is that is embedded. */
export type EmbeddedAs = 'question' | 'passage'
export interface OpenEmbedder {
  /** identifies provider and model: vectors of different ones are not comparable */
  id: string
  /** for people */
  name: string
  dimension: number | null
  /**
   * @param timeoutMs default: a minute
   * @param as what the texts are, which some models want to be told; default: passages
   * @returns a vector of length 1 per text
   */
  embed(texts: readonly string[], timeoutMs?: number, as?: EmbeddedAs): Promise<Written<Float32Array[]>>
}

/** The models of a project: the built-in one, those of the environment, those of its own keys. */
export interface Models {
  catalogue(projectId: string): Promise<Model[]>
  /** Null for the built-in one, and for an unavailable one. */
  open(projectId: string, modelId: number): Promise<OpenModel | null>
  /** Null: there is none, and only words count. */
  embedder(projectId: string): Promise<OpenEmbedder | null>
}
