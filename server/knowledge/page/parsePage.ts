import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type HtmlContent, readHtml } from './readHtml'

/** ms for one page: the largest takes some seconds, what takes longer is meant to harm. */
const LIMIT = 30_000
/** The thread is ended, and its memory given back, when nothing is to be read for so long. */
const IDLE = 20_000
/** MB of the thread's heap: a page of 5 MB takes a tenth. */
const MEMORY = 768

/** Thrown where a page can't be taken apart in time or in the memory there is for it. */
class UnreadableHtml extends Error {
  override readonly name = 'UnreadableHtml'
}

export interface Question {
  id: number
  html: string
  url: string
}
export type Reply = { id: number; content: HtmlContent } | { id: number; error: string }

interface Waiting extends Question {
  resolve: (content: HtmlContent) => void
  reject: (error: Error) => void
}

/** Beside the built server; sources have none, so tests read pages in their own thread. */
const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'pageWorker.js')

/**
 * Reads pages in a thread of its own, one by one, so that the server goes on meanwhile; a page that takes too long costs the thread
 * and is refused. @param file the thread's program; null: no thread
 */
export function createPageParser(file: string | null = existsSync(WORKER) ? WORKER : null, limit = LIMIT) {
  const waiting: Waiting[] = []
  let current: Waiting | null = null
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | null = null
  let count = 0

  function start(path: string): Worker {
    const started = new Worker(path, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
    // reading pages keeps no process alive
    started.unref()
    started.on('message', (reply: Reply) => {
      if (current?.id !== reply.id) return
      if ('content' in reply) settle(({ resolve }) => resolve(reply.content))
      else settle(({ reject }) => reject(new UnreadableHtml(reply.error)))
    })
    started.on('error', (error) => lose(started, error.message))
    started.on('exit', () => lose(started, 'the thread ended'))
    return started
  }

  function lose(lost: Worker, why: string): void {
    if (worker !== lost) return
    worker = null
    settle(({ reject }) => reject(new UnreadableHtml(why)))
  }

  function settle(how: (settled: Waiting) => void): void {
    const settled = current
    current = null
    if (timer) clearTimeout(timer)
    if (settled) how(settled)
    next()
  }

  function end(): void {
    const ended = worker
    worker = null
    ended?.terminate().catch(() => undefined)
  }

  function next(): void {
    if (current || file === null) return
    if (timer) clearTimeout(timer)
    current = waiting.shift() ?? null
    timer = setTimeout(current ? giveUp : end, current ? limit : IDLE).unref()
    if (!current) return
    worker ??= start(file)
    const { id, html, url } = current
    worker.postMessage({ id, html, url } satisfies Question)
  }

  function giveUp(): void {
    end()
    settle(({ reject }) => reject(new UnreadableHtml(`it took more than ${limit / 1_000} s`)))
  }

  return async (html: string, url: string): Promise<HtmlContent> => {
    if (file === null) return readHtml(html, url)
    return new Promise((resolve, reject) => {
      waiting.push({ id: ++count, html, url, resolve, reject })
      next()
    })
  }
}
