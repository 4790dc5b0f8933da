import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { extractPdf } from './extractPdf'

export interface PdfText {
  /** pages begin with a mark (chunks/markdownBlocks.ts) */
  markdown: string
  pages: number
  /** what of it could not be read, in a sentence */
  note: string | null
}

/** Reads a PDF's text, or says in a sentence why not and what helps. Throws the signal's reason alone. */
export type ReadPdf = (bytes: Uint8Array, signal: AbortSignal) => Promise<PdfText | { failed: string }>

export interface PdfReaderOptions {
  /** the thread's program; null: no thread. The built one unless said; sources have none */
  file?: string | null
  /** ms for a document */
  timeLimit?: number
  /** bytes by which the process may grow meanwhile: what is unpacked does not count as the thread's heap */
  memoryLimit?: number
}

/** 500 pages of text take some 3 s; what takes longer than this is meant to harm, or drawn of a million strokes. */
const TIME_LIMIT = 120_000
const MEMORY_LIMIT = 1_000_000_000
/** MB of the thread's heap. */
const HEAP = 768
const LOOK_EVERY = 50

const SLOW = 'This PDF takes too long to read. Split it, or save it anew without drawings, and upload that.'
const LARGE =
  'This PDF takes too much memory to read: it holds far more than its size tells. Split it, or save it anew.'
const LOST = 'This PDF can’t be read. Save it anew (for instance by “Print to PDF”), and upload that.'

/** Beside the built server. */
const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'pdfWorker.js')

/** Makes what reads PDFs, each in a thread of its own and one at a time: a document that is meant to harm costs its thread. */
export function createPdfReader({
  file = existsSync(WORKER) ? WORKER : null,
  timeLimit = TIME_LIMIT,
  memoryLimit = MEMORY_LIMIT,
}: PdfReaderOptions = {}): ReadPdf {
  let last: Promise<unknown> = Promise.resolve()

  return (bytes, signal) => {
    const turn = last.then(() => {
      signal.throwIfAborted()
      // a plain array, as a thread is given: pdf.js refuses Node's buffers
      return file === null
        ? extractPdf(new Uint8Array(bytes), signal)
        : readInThread(file, bytes, signal, { timeLimit, memoryLimit })
    })
    last = turn.catch(() => undefined)
    return turn
  }
}

function readInThread(
  file: string,
  bytes: Uint8Array,
  signal: AbortSignal,
  { timeLimit, memoryLimit }: { timeLimit: number; memoryLimit: number },
): ReturnType<ReadPdf> {
  return new Promise((resolve, reject) => {
    const before = residentMemory() ?? 0
    const worker = new Worker(file, { workerData: bytes, resourceLimits: { maxOldGenerationSizeMb: HEAP } })
    // reading a document keeps no process alive
    worker.unref()
    let ended = false
    const end = (settle: () => void) => {
      // ending the thread makes it say so
      if (ended) return
      ended = true
      clearTimeout(timer)
      clearInterval(watch)
      signal.removeEventListener('abort', aborted)
      // only when its memory is given back may the next one begin
      worker.terminate().then(settle, settle)
    }
    const answer = (read: Awaited<ReturnType<ReadPdf>>) => end(() => resolve(read))
    const aborted = () => end(() => reject(signal.reason))
    const timer = setTimeout(() => answer({ failed: SLOW }), timeLimit).unref()
    const watch = setInterval(() => {
      const now = residentMemory()
      if (now !== null && now - before > memoryLimit) answer({ failed: LARGE })
    }, LOOK_EVERY).unref()
    signal.addEventListener('abort', aborted, { once: true })
    worker.on('message', answer)
    worker.on('error', (error: NodeJS.ErrnoException) =>
      answer({ failed: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? LARGE : LOST }),
    )
    worker.on('exit', () => answer({ failed: LOST }))
  })
}

/** null while no file may be opened, since the system is asked by one: in a timer that would end the process. */
function residentMemory(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}
