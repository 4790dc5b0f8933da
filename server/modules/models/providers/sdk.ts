import type { EmbeddingModel, LanguageModel } from 'ai'
import type { ProviderAccess } from './access'

/** The part of an AI SDK provider that is used. */
interface Sdk {
  ai: typeof import('ai')
  /** @param strict for JSON by a schema, where the protocol makes that optional */
  languageModel(name: string, strict?: boolean): Exclude<LanguageModel, string>
  embeddingModel(name: string): EmbeddingModel
}

/**
 * Loads the SDK of a provider's protocol, on first use; its large parts are loaded in advance (server/loadAhead.ts).
 */
export async function loadSdk(access: ProviderAccess): Promise<Sdk> {
  const [ai, provider] = await Promise.all([import('ai'), loadProvider(access)])
  // its warnings are for developers of the SDK
  globalThis.AI_SDK_LOG_WARNINGS = false
  return { ai, ...provider }
}

async function loadProvider({ provider, apiKey, baseUrl, fetch }: ProviderAccess): Promise<Omit<Sdk, 'ai'>> {
  // always given: otherwise the SDK reads the environment
  const at = { baseURL: baseUrl, apiKey: apiKey ?? '', ...(fetch && { fetch }) }
  switch (provider) {
    case 'openai': {
      const openai = (await import('@ai-sdk/openai')).createOpenAI(at)
      return { languageModel: (name) => openai.responses(name), embeddingModel: (name) => openai.embeddingModel(name) }
    }
    case 'anthropic': {
      const anthropic = (await import('@ai-sdk/anthropic')).createAnthropic(at)
      return {
        languageModel: (name) => anthropic(name),
        embeddingModel: (name) => anthropic.textEmbeddingModel(name),
      }
    }
    case 'google': {
      const google = (await import('@ai-sdk/google')).createGoogleGenerativeAI(at)
      return { languageModel: (name) => google(name), embeddingModel: (name) => google.embeddingModel(name) }
    }
    case 'mistral': {
      const mistral = (await import('@ai-sdk/mistral')).createMistral(at)
      return { languageModel: (name) => mistral(name), embeddingModel: (name) => mistral.embeddingModel(name) }
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const made = (supportsStructuredOutputs: boolean) =>
        createOpenAICompatible({
          name: 'compatible',
          baseURL: baseUrl,
          includeUsage: true,
          supportsStructuredOutputs,
          ...(apiKey !== null && { apiKey }),
          ...(fetch && { fetch }),
        })
      return {
        languageModel: (name, strict = false) => made(strict)(name),
        embeddingModel: (name) => made(false).embeddingModel(name),
      }
    }
  }
}
