import type { ImportAnswer, ImportRequest } from './importTranslations'

/** Ours: a file of the largest size takes some seconds on a slow machine. */
const LONGEST_MS = 60_000

/** Reads a file in a worker of its own, which is ended after a minute. */
export function runImport(request: ImportRequest): Promise<ImportAnswer> {
  const worker = new Worker(new URL('./importWorker.ts', import.meta.url), { type: 'module' })
  return new Promise<ImportAnswer>((resolve) => {
    const fail = (message: string) => resolve({ ok: false, message })
    const timer = setTimeout(() => fail('Reading the file took too long.'), LONGEST_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<ImportAnswer>) => {
      clearTimeout(timer)
      resolve(data)
    })
    worker.addEventListener('error', () => fail('The file could not be read.'))
    worker.postMessage(request)
  }).finally(() => worker.terminate())
}
