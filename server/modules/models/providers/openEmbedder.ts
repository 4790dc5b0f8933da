import type { OpenEmbedder, Written } from '../models'
import { hostOf, type ProviderAccess } from './access'
import { modelProblem } from './modelProblem'
import { loadSdk } from './sdk'

/** ms per call, including retries */
const TIMEOUT = 60_000

/** A provider's embedding model, through the AI SDK. @param name the provider's name for it */
export function createOpenEmbedder(
  access: ProviderAccess,
  name: string,
  { timeout = TIMEOUT, retries = 1 } = {},
): OpenEmbedder {
  let loading: ReturnType<typeof loadSdk> | undefined
  return {
    id: `${access.provider} ${hostOf(access)} ${name}`,
    name,
    dimension: null,
    async embed(texts, patience = timeout): Promise<Written<Float32Array[]>> {
      if (texts.length === 0) return { ok: true, value: [] }
      const abortSignal = AbortSignal.timeout(patience)
      try {
        loading ??= loadSdk(access)
        const { ai, embeddingModel } = await loading
        const model = embeddingModel(name)
        const { embeddings } = await ai.embedMany({ model, values: [...texts], maxRetries: retries, abortSignal })
        if (embeddings.length !== texts.length)
          throw new Error(`it gave ${embeddings.length} for ${texts.length} texts`)
        return { ok: true, value: embeddings.map(ofLengthOne) }
      } catch (error) {
        return { ok: false, error: modelProblem(error, access, name, abortSignal.aborted ? patience : null) }
      }
    },
  }
}

function ofLengthOne(embedding: number[]): Float32Array {
  const length = Math.hypot(...embedding)
  if (!Number.isFinite(length)) throw new Error('it gave a vector that is no vector')
  return Float32Array.from(embedding, (value) => (length === 0 ? 0 : value / length))
}
