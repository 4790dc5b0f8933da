import elkWorkerUrl from 'elkjs/lib/elk-worker.min.js?url'
import type { LayoutGraph } from '../../../engine/graph/layoutInput'

/** New positions by group id. */
export type Places = ReadonlyMap<string, { x: number; y: number }>

/**
 * Arranges a graph in a web worker, which is loaded on first use (1.6 MB) and ends afterwards. Throws an AbortError
 * when the signal aborts, and ELK's errors.
 */
export async function arrangeFlow(graph: LayoutGraph, signal: AbortSignal): Promise<Places> {
  const { default: Elk } = await import('elkjs/lib/elk-api.js')
  signal.throwIfAborted()
  const elk = new Elk({ workerFactory: () => new Worker(elkWorkerUrl) })
  try {
    const { children } = await Promise.race([elk.layout(graph), aborted(signal)])
    return new Map((children ?? []).map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
  } finally {
    elk.terminateWorker()
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
