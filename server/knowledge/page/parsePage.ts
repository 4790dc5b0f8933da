import { createThreads, type RunOptions, type RunTask } from '../../workers/createThreads'
import type { HtmlContent } from './readHtml'

/** The largest page takes some seconds; what takes longer is meant to harm. A page of 5 MB takes a tenth of the heap. */
const LIMITS = { threads: 2, timeMs: 30_000, heapMb: 768 }

/** Takes pages apart in threads, so that the server goes on meanwhile. @throws TaskError where a page takes too much time or memory */
export function createPageParser(run: RunTask = createThreads(LIMITS)) {
  return (html: string, url: string, options?: RunOptions): Promise<HtmlContent> =>
    run('readHtml', { html, url }, options)
}
