import type { AiSettings } from '../../platform/config/aiSettings'
import type { Metrics } from '../../platform/metrics/createMetrics'
import { measuredEmbedder } from './measured'
import { environmentAccess } from './providers/environment'
import { createOpenEmbedder } from './providers/openEmbedder'

/** Embeds texts, in order; null if the model fails or times out. */
export type Embedder = (texts: readonly string[], timeoutMs: number) => Promise<number[][] | null>

/**
 * The embedding model of the settings; null if there is none. @param onFailure called with the reason, in a sentence
 * without the key
 */
export function createEmbedder(
  settings: AiSettings | null,
  onFailure: (reason: string) => void,
  metrics?: Metrics,
): Embedder | null {
  const name = settings?.embeddingModel
  if (!settings || !name) return null
  const access = environmentAccess(settings)
  const open = createOpenEmbedder(access, name)
  const { embed } = metrics ? measuredEmbedder(open, access.provider, metrics) : open
  return async (texts, timeoutMs) => {
    const embedded = await embed(texts, timeoutMs)
    if (embedded.ok) return embedded.value.map((vector) => [...vector])
    onFailure(embedded.error)
    return null
  }
}
