import { createHash } from 'node:crypto'
import type { LocalModel } from '../../../contracts/localModels'
import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { TaskError, type TaskFault } from '../../../platform/workers/taskError'
import type { OpenEmbedder, Written } from '../models'
import { embedTexts } from './tasks'

/**
 * Threads that keep the models they have read for ten minutes. A large static model has 130 MB of vectors beside its
 * vocabulary, which lies in the heap; one in ONNX at most 1 GB beside its file while that is read.
 */
const LIMITS = { threads: 2, timeMs: 60_000, heapMb: 1_024, growth: 1_500_000_000, idleMs: 600_000 }
/** ms for a question to a transformer: the first one reads the model, and those after it find it ready. */
const WHILE_READING = 20_000
/** Texts of a transformer in a task: so many long ones end within its time. */
const AT_ONCE = 16

export interface LocalFiles
  extends Pick<LocalModel, 'name' | 'kind' | 'question_prefix' | 'passage_prefix' | 'pooling'> {
  projectId: string
  /** of the model's numbers: models with the same numbers are the same model */
  sha256: string
  folder: string
  dimension: number
}

/** Embeds texts by models in files. They are foreign, tokenizers above all: they work in threads with limits. */
export function createLocalEmbedders(run: RunTask = createThreads(LIMITS)) {
  return (files: LocalFiles): OpenEmbedder => {
    const { projectId, name, sha256, folder, dimension, pooling } = files
    const transformer = files.kind === 'onnx'

    async function embedSome(texts: readonly string[], patience: number): Promise<Written<Float32Array[]>> {
      const signal = AbortSignal.timeout(patience)
      const task = run(
        embedTexts,
        { folder, texts: [...texts], pooling },
        transformer
          ? // a question gives up before it: the model is read for the next one
            { owner: projectId, timeMs: Math.max(patience, WHILE_READING) }
          : { owner: projectId, timeMs: patience, signal },
      )
      try {
        return { ok: true, value: await (transformer ? beforeEnd(task, signal) : task) }
      } catch (error) {
        if (signal.aborted) return { ok: false, error: reasons.slow(name) }
        if (error instanceof TaskError) return { ok: false, error: reasons[error.fault](name) }
        // without threads the task's own error comes
        return { ok: false, error: reasons.failed(name) }
      }
    }

    return {
      id: `local ${sha256}${transformer ? ` ${settingsHash(files)}` : ''}`,
      name,
      dimension,
      async embed(texts, patience = LIMITS.timeMs, as = 'passage'): Promise<Written<Float32Array[]>> {
        if (texts.length === 0) return { ok: true, value: [] }
        const prefix = transformer ? (as === 'question' ? files.question_prefix : files.passage_prefix) : ''
        const asked = texts.map((text) => `${prefix}${text}`)
        const value: Float32Array[] = []
        const step = transformer ? AT_ONCE : asked.length
        for (let at = 0; at < asked.length; at += step) {
          const some = await embedSome(asked.slice(at, at + step), patience)
          if (!some.ok) return some
          value.push(...some.value)
        }
        return { ok: true, value }
      },
    }
  }
}

/** Vectors of a transformer that is asked otherwise are not comparable. */
const settingsHash = ({ question_prefix, passage_prefix, pooling }: LocalFiles): string =>
  createHash('sha256')
    .update(JSON.stringify([question_prefix, passage_prefix, pooling]))
    .digest('hex')
    .slice(0, 16)

/** @throws the signal's reason, and what the task throws */
async function beforeEnd<Result>(task: Promise<Result>, signal: AbortSignal): Promise<Result> {
  // whoever gave up hears no more of it
  task.catch(() => undefined)
  const { promise, stop } = ending(signal)
  try {
    return await Promise.race([task, promise])
  } finally {
    stop()
  }
}

function ending(signal: AbortSignal): { promise: Promise<never>; stop: () => void } {
  let stop = () => undefined as undefined
  const promise = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    stop = () => signal.removeEventListener('abort', abort) as undefined
  })
  promise.catch(() => undefined)
  return { promise, stop }
}

const reasons: Record<TaskFault, (name: string) => string> = {
  slow: (name) => `${name} takes too long on this machine. Use a smaller model, or a server.`,
  large: (name) => `${name} takes more memory than there is for it. Use a smaller model.`,
  lost: (name) => `${name} could not be used. Remove it, and add it again.`,
  failed: (name) => `The files of ${name} are not on this machine, or can’t be read. Remove it, and add it again.`,
}
