import { parentPort } from 'node:worker_threads'
import type { Question, Reply } from './parsePage'
import { readHtml } from './readHtml'

/** The thread of parsePage.ts: a program of its own in the build. */
parentPort?.on('message', ({ id, html, url }: Question) => {
  try {
    parentPort?.postMessage({ id, content: readHtml(html, url) } satisfies Reply)
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies Reply)
  }
})
