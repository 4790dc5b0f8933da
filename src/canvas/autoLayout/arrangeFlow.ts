import elkWorkerUrl from 'elkjs/lib/elk-worker.min.js?url'
import type { LayoutGraph } from '../../../engine/graph/layoutInput'

/** Where groups go, by their ids. */
export type Places = ReadonlyMap<string, { x: number; y: number }>

/**
 * Arranges a graph in a worker of its own, which is loaded when it is needed for the first time (1.6 MB) and ends with the work.
 * Throws an AbortError as soon as the signal says so, and what ELK says about a graph that it can't arrange.
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
