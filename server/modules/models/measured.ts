import { type Metrics, startWatch } from '../../platform/metrics/createMetrics'
import { beginCall } from '../../platform/tracing/spans'
import type { OpenEmbedder, OpenModel, StreamPart, Written } from './models'

type Meters = Pick<Metrics, 'modelCalls' | 'modelSeconds'>
type Operation = 'write' | 'fill' | 'stream' | 'embed' | 'transcribe'

/**
 * Counts a call of a provider's model, and how long it took; a span of a trace.
 * @param provider one of `contracts/ai`: models' names are as many as people write
 * @returns to be told how it ended
 */
export function countCall(
  { modelCalls, modelSeconds }: Meters,
  provider: string,
  operation: Operation,
): (ok: boolean) => void {
  const seconds = startWatch()
  const end = beginCall(`model ${operation}`, { 'parley.provider': provider })
  return (ok) => {
    end(ok)
    modelCalls.inc({ provider, operation, outcome: ok ? 'ok' : 'failed' })
    modelSeconds.observe({ provider }, seconds())
  }
}

async function counted<Value>(
  metrics: Meters,
  provider: string,
  operation: Operation,
  ask: () => Promise<Written<Value>>,
): Promise<Written<Value>> {
  const end = countCall(metrics, provider, operation)
  const written = await ask()
  end(written.ok)
  return written
}

/** The same model, with its calls counted. A stream that its reader leaves is none that failed. */
export function measuredModel(open: OpenModel, metrics: Meters): OpenModel {
  const provider = open.model.provider ?? 'built-in'
  return {
    model: open.model,
    write: (prompt) => counted(metrics, provider, 'write', () => open.write(prompt)),
    fill: (prompt, schema) => counted(metrics, provider, 'fill', () => open.fill(prompt, schema)),
    async *stream(prompt, options): AsyncGenerator<StreamPart> {
      const end = countCall(metrics, provider, 'stream')
      let ok = true
      try {
        for await (const part of open.stream(prompt, options)) {
          if (part.type === 'failed') ok = options?.signal?.aborted === true
          yield part
        }
      } finally {
        end(ok)
      }
    },
  }
}

/** The same embedder, with its calls counted. */
export const measuredEmbedder = (open: OpenEmbedder, provider: string, metrics: Meters): OpenEmbedder => ({
  ...open,
  embed: (...asked) => counted(metrics, provider, 'embed', () => open.embed(...asked)),
})
