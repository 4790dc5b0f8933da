import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { TaskError, type TaskFault } from '../../../platform/workers/taskError'
import { readDocument } from '../tasks'
import type { DocumentRead } from './documentText'
import { createScanReader, type Ocr } from './readScans'

/** Reads a document's text, or says in a sentence why not and what helps. Throws the signal's reason alone. */
export type ReadDocument = (
  file: { bytes: Uint8Array; name: string },
  signal: AbortSignal,
  owner?: string,
) => Promise<DocumentRead>

/**
 * One document at a time, so that the process's growth is due to that one: decompressed data is outside the thread's
 * heap. 500 pages of text take some 3 s; more than two minutes means an attack, or a drawing of a million strokes.
 */
export const documentLimits = { timeMs: 120_000, heapMb: 768, growth: 1_000_000_000, idleMs: 0 }

const LOST = 'This file can’t be read. Save it anew (for instance by “Print to PDF”), and upload that.'
const reasons: Record<TaskFault, string> = {
  slow: 'This file takes too long to read. Split it, or save it anew without drawings, and upload that.',
  large: 'This file takes too much memory to read: it holds far more than its size tells. Split it, or save it anew.',
  lost: LOST,
  failed: LOST,
}

/**
 * Creates a reader of documents that runs in a worker thread: a malicious one only ends its thread.
 * @param ocr what reads pages that are pictures; null: nothing does, and they are named
 */
export function createDocumentReader(
  ocr: Ocr | null = null,
  run: RunTask = createThreads(documentLimits),
): ReadDocument {
  const readScans = ocr && createScanReader(run, ocr)
  return async ({ bytes, name }, signal, owner) => {
    try {
      // a plain array, as in a thread: pdf.js refuses Node's buffers
      const file = { bytes: new Uint8Array(bytes), name }
      const { bare, ...read } = await run(readDocument, file, { signal, owner })
      return bare && readScans ? await readScans({ bytes, name }, { ...read, bare }, signal, owner) : read
    } catch (error) {
      if (error instanceof TaskError) return { failed: reasons[error.fault] }
      throw error
    }
  }
}
