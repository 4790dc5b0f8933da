import type { AiSettings } from '../config'

/** Texts as an embedding model sees them, in their order; null when it can't be reached in time or refuses. */
export type Embedder = (texts: readonly string[], timeoutMs: number) => Promise<number[][] | null>

/** The embedding model of the settings, by the AI SDK, which is loaded at the first text. Null where none is named. */
export function createEmbedder(settings: AiSettings | null, onFailure: (error: unknown) => void): Embedder | null {
  const name = settings?.embeddingModel
  if (!settings || !name) return null
  let loading: ReturnType<typeof load> | undefined
  return async (texts, timeoutMs) => {
    try {
      loading ??= load(settings, name)
      const { embedMany, model } = await loading
      const { embeddings } = await embedMany({
        model,
        values: [...texts],
        maxRetries: 1,
        abortSignal: AbortSignal.timeout(timeoutMs),
      })
      return embeddings.length === texts.length ? embeddings : null
    } catch (error) {
      onFailure(error)
      return null
    }
  }
}

async function load({ baseUrl, apiKey }: AiSettings, name: string) {
  const [{ embedMany }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ])
  const provider = createOpenAICompatible({ name: 'operator', baseURL: baseUrl, ...(apiKey !== null && { apiKey }) })
  return { embedMany, model: provider.embeddingModel(name) }
}
