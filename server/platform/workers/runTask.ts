import { createThreads } from './createThreads'

/**
 * Carries out a task on foreign text (defineTask.ts) in one of the process's two threads, in at most 30 s unless said. The largest page takes some seconds
 * and a tenth of the heap: what takes more is meant to harm.
 */
export const runTask = createThreads({ threads: 2, timeMs: 30_000, heapMb: 768 })
