import { z } from 'zod'
import { StartError } from '../database/startError'

/** A model of any server with an OpenAI-compatible API. */
export interface AiSettings {
  /** without a trailing slash */
  baseUrl: string
  apiKey: string | null
  model: string
  /** embeddings for recognising intents and searching sources; null: by words only */
  embeddingModel?: string | null
  /** turns voice messages into text; null: they stay sounds */
  transcriptionModel?: string | null
}

/** Providers whose keys may be set in the environment, each with its default address. */
export const keyedProviders = ['openai', 'anthropic', 'google', 'mistral'] as const
export type KeyedProvider = (typeof keyedProviders)[number]

export interface ProviderSettings {
  /** null: projects bring their own */
  apiKey: string | null
  /** without a trailing slash */
  baseUrl: string
}

/** Each provider's variable names and default address. */
export const providerVariables = {
  openai: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', standard: 'https://api.openai.com/v1' },
  anthropic: { key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL', standard: 'https://api.anthropic.com/v1' },
  google: {
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    standard: 'https://generativelanguage.googleapis.com/v1beta',
  },
  mistral: { key: 'MISTRAL_API_KEY', baseUrl: 'MISTRAL_BASE_URL', standard: 'https://api.mistral.ai/v1' },
} as const satisfies Record<KeyedProvider, { key: string; baseUrl: string; standard: string }>

const address = (example: string) =>
  z
    .string()
    .refine(isAddress, `give the address of a server, such as ${example}`)
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
const key = z.string().trim().optional()

/** The variables about models, for the table of all settings. */
export const aiVariables = {
  AI_BASE_URL: z
    .string()
    .refine(
      isAddress,
      'give the address of a server that speaks the OpenAI protocol, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1',
    )
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  AI_API_KEY: key,
  AI_MODEL: z.string().trim().max(200, 'give the name of a model, such as gpt-4o-mini').optional(),
  AI_EMBEDDING_MODEL: z
    .string()
    .trim()
    .max(200, 'give the name of an embedding model, such as text-embedding-3-small')
    .optional(),
  AI_TRANSCRIPTION_MODEL: z.string().trim().max(200, 'give the name of a speech model, such as whisper-1').optional(),
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: address(providerVariables.openai.standard),
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: address(providerVariables.anthropic.standard),
  GOOGLE_GENERATIVE_AI_API_KEY: key,
  GOOGLE_GENERATIVE_AI_BASE_URL: address(providerVariables.google.standard),
  MISTRAL_API_KEY: key,
  MISTRAL_BASE_URL: address(providerVariables.mistral.standard),
}
type Given = { [Name in keyof typeof aiVariables]?: string | undefined }

/**
 * A server needs a model; a model or a key without a server is an incomplete setting.
 * @throws StartError
 */
export function readAiSettings(given: Given): AiSettings | null {
  const { AI_BASE_URL: baseUrl, AI_API_KEY: apiKey, AI_MODEL: model, AI_EMBEDDING_MODEL: embeddingModel } = given
  const { AI_TRANSCRIPTION_MODEL: transcriptionModel } = given
  if (!baseUrl) {
    const name = (['AI_API_KEY', 'AI_MODEL', 'AI_EMBEDDING_MODEL', 'AI_TRANSCRIPTION_MODEL'] as const).find(
      (each) => given[each],
    )
    if (name)
      throw new StartError(`${name} is set and AI_BASE_URL is not: give the address of the server that has the model`)
    return null
  }
  if (!model) throw new StartError('AI_BASE_URL is set and AI_MODEL is not: give the name of the model to use')
  const others = { embeddingModel: embeddingModel || null, transcriptionModel: transcriptionModel || null }
  return { baseUrl, apiKey: readKey('AI_API_KEY', apiKey), model, ...others }
}

/** @throws StartError */
export function readProviders(given: Given): Record<KeyedProvider, ProviderSettings> {
  const settings = keyedProviders.map((provider) => {
    const names = providerVariables[provider]
    const apiKey = readKey(names.key, given[names.key])
    return [provider, { apiKey, baseUrl: given[names.baseUrl] ?? names.standard }] as const
  })
  return Object.fromEntries(settings) as Record<KeyedProvider, ProviderSettings>
}

/** Not validated with the others, whose messages show the invalid value. */
function readKey(name: string, text: string | undefined): string | null {
  if (text && !isKey(text))
    throw new StartError(`${name} holds characters that a key can’t have: give it in one line, without quotes`)
  return text || null
}

/** Whether a text is valid as a key in a header. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** Whether a text is a server's base address. */
export function isAddress(text: string): boolean {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return !username && !password && !search && !hash
}
