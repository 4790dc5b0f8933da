import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { TaskError, type TaskFault } from '../../../platform/workers/taskError'
import type { OpenEmbedder, Written } from '../models'
import { embedTexts } from './tasks'

/**
 * Threads that keep the models they have read for ten minutes. A large model has 130 MB of vectors beside its
 * vocabulary, which lies in the heap.
 */
const LIMITS = { threads: 2, timeMs: 60_000, heapMb: 1_024, growth: 1_500_000_000, idleMs: 600_000 }

export interface LocalFiles {
  projectId: string
  name: string
  /** of model.safetensors: models with the same numbers are the same model */
  sha256: string
  folder: string
  dimension: number
}

/** Embeds texts by models in files. They are foreign, tokenizers above all: they work in threads with limits. */
export function createLocalEmbedders(run: RunTask = createThreads(LIMITS)) {
  return ({ projectId, name, sha256, folder, dimension }: LocalFiles): OpenEmbedder => ({
    id: `local ${sha256}`,
    name,
    dimension,
    async embed(texts, patience = LIMITS.timeMs): Promise<Written<Float32Array[]>> {
      if (texts.length === 0) return { ok: true, value: [] }
      const signal = AbortSignal.timeout(patience)
      try {
        const value = await run(
          embedTexts,
          { folder, texts: [...texts] },
          { owner: projectId, timeMs: patience, signal },
        )
        return { ok: true, value }
      } catch (error) {
        if (signal.aborted) return { ok: false, error: reasons.slow(name) }
        if (error instanceof TaskError) return { ok: false, error: reasons[error.fault](name) }
        // without threads the task's own error comes
        return { ok: false, error: reasons.failed(name) }
      }
    },
  })
}

const reasons: Record<TaskFault, (name: string) => string> = {
  slow: (name) => `${name} takes too long on this machine. Use a smaller model, or a server.`,
  large: (name) => `${name} takes more memory than there is for it. Use a smaller model.`,
  lost: (name) => `${name} could not be used. Remove it, and add it again.`,
  failed: (name) => `The files of ${name} are not on this machine, or can’t be read. Remove it, and add it again.`,
}
