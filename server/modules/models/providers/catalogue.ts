import type { Model } from '../../../contracts/ai'
import type { KeyedProvider } from '../../../platform/config/aiSettings'
import { BUILT_IN_MODEL } from '../models'

/** A model in Parley's catalogue. */
export type KnownModel = Omit<Model, 'available' | 'provider'> & {
  provider: KeyedProvider
  /** the provider's name for it */
  modelId: string
}

/** The model of `AI_BASE_URL` and `AI_MODEL`. */
export const ENVIRONMENT_MODEL = 2
/** Models of projects' OpenAI-compatible servers: the credits of a reply, and their first id. */
export const OWN_MODEL_CREDITS = 1
export const FIRST_OWN_MODEL = 1000

/** Needs no key, no network and no credits. */
export const builtInModel: Model = {
  id: BUILT_IN_MODEL,
  name: 'Built-in, no key',
  provider: null,
  supports_actions: false,
  credits: 0,
  context: null,
  premium: false,
  available: true,
}

type Row = [id: number, name: string, modelId: string, credits: number, context: number | null, premium?: 'premium']

const models = (provider: KeyedProvider, rows: Row[]): KnownModel[] =>
  rows.map(([id, name, modelId, credits, context, premium]) => ({
    id,
    name,
    provider,
    modelId,
    supports_actions: true,
    credits,
    context,
    premium: premium !== undefined,
  }))

/**
 * The models of known providers, strongest first. Chatbots store ids: never reuse one; remove discontinued models. A
 * context of null is unverified. Credits follow the provider's price of a reply: 1 for about $2 per million input
 * tokens.
 */
export const knownModels: readonly KnownModel[] = [
  ...models('openai', [
    [100, 'GPT-6 Astra', 'gpt-6-astra', 5, null, 'premium'],
    [101, 'GPT-6.1 Sol', 'gpt-6.1-sol', 1, null],
    [102, 'GPT-6.1 Terra', 'gpt-6.1-terra', 0.5, 1_050_000],
    [103, 'GPT-6 Luna', 'gpt-6-luna', 0.1, 1_050_000],
    [104, 'GPT-4.1 mini', 'gpt-4.1-mini', 0.2, 1_047_576],
    [105, 'GPT-4o mini', 'gpt-4o-mini', 0.1, 128_000],
  ]),
  ...models('anthropic', [
    [200, 'Claude Fable 5.1', 'claude-fable-5-1', 5, 1_000_000, 'premium'],
    [201, 'Claude Opus 5.5', 'claude-opus-5-5', 2, 1_000_000, 'premium'],
    [202, 'Claude Sonnet 5.5', 'claude-sonnet-5-5', 1, 1_000_000],
    [203, 'Claude Haiku 5.5', 'claude-haiku-5-5', 0.1, 1_000_000],
  ]),
  ...models('google', [
    [300, 'Gemini 4 Argon', 'gemini-4-argon', 1, 1_048_576],
    [301, 'Gemini 3.8 Flash', 'gemini-3.8-flash', 0.5, 1_048_576],
    [302, 'Gemini 3.5 Flash-Lite', 'gemini-3.5-flash-lite', 0.2, 1_048_576],
  ]),
  ...models('mistral', [
    [400, 'Mistral Large', 'mistral-large-latest', 0.5, null],
    [401, 'Mistral Medium 3.5', 'mistral-medium-3.5', 0.8, 262_144],
    [402, 'Mistral Small', 'mistral-small-latest', 0.1, null],
    [403, 'Ministral 8B', 'ministral-8b-latest', 0.1, null],
  ]),
]

const byId = new Map(knownModels.map((model) => [model.id, model]))
export const knownModel = (id: number): KnownModel | undefined => byId.get(id)
