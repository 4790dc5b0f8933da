import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { TaskError, type TaskFault } from '../../../platform/workers/taskError'
import { readPdf } from '../tasks'
import type { ReadPdf } from './pdfText'

/**
 * One document at a time, so that the process's growth is due to that one: decompressed data is outside the thread's
 * heap. 500 pages of text take some 3 s; more than two minutes means an attack, or a drawing of a million strokes.
 */
export const pdfLimits = { timeMs: 120_000, heapMb: 768, growth: 1_000_000_000, idleMs: 0 }

const LOST = 'This PDF can’t be read. Save it anew (for instance by “Print to PDF”), and upload that.'
const reasons: Record<TaskFault, string> = {
  slow: 'This PDF takes too long to read. Split it, or save it anew without drawings, and upload that.',
  large: 'This PDF takes too much memory to read: it holds far more than its size tells. Split it, or save it anew.',
  lost: LOST,
  failed: LOST,
}

/** Creates a reader of PDFs that runs in a worker thread: a malicious document only ends its thread. */
export function createPdfReader(run: RunTask = createThreads(pdfLimits)): ReadPdf {
  return async (bytes, signal, owner) => {
    try {
      // a plain array, as in a thread: pdf.js refuses Node's buffers
      return await run(readPdf, new Uint8Array(bytes), { signal, owner })
    } catch (error) {
      if (error instanceof TaskError) return { failed: reasons[error.fault] }
      throw error
    }
  }
}
