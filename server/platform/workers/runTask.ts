import { createThreads } from './createThreads'

/**
 * Runs a task on untrusted text (defineTask.ts) in one of the process's two threads, by default for at most 30 s. The
 * largest page takes some seconds and a tenth of the heap: anything beyond is considered an attack.
 */
export const runTask = createThreads({ threads: 2, timeMs: 30_000, heapMb: 768 })
