import type { AiSettings } from '../../platform/config/aiSettings'
import { environmentAccess } from './providers/environment'
import { createOpenEmbedder } from './providers/openEmbedder'

/** Texts as an embedding model sees them, in their order; null when it can't be reached in time or refuses. */
export type Embedder = (texts: readonly string[], timeoutMs: number) => Promise<number[][] | null>

/**
 * The embedding model of the settings. Null where none is named. @param onFailure told why, in a sentence without the
 * key
 */
export function createEmbedder(settings: AiSettings | null, onFailure: (reason: string) => void): Embedder | null {
  const name = settings?.embeddingModel
  if (!settings || !name) return null
  const { embed } = createOpenEmbedder(environmentAccess(settings), name)
  return async (texts, timeoutMs) => {
    const embedded = await embed(texts, timeoutMs)
    if (embedded.ok) return embedded.value.map((vector) => [...vector])
    onFailure(embedded.error)
    return null
  }
}
