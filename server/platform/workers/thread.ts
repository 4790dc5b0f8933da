import { Worker } from 'node:worker_threads'
import type { TaskCall, TaskReply } from './defineTask'
import { TaskError } from './taskError'

export interface ThreadLimits {
  /** ms per task */
  timeMs: number
  /** MB of the thread's heap */
  heapMb: number
  /** bytes by which the process may grow meanwhile, for tasks that use memory outside the heap */
  growth?: number
  /** ms without a task after which the thread ends and its memory is freed; default: 20 s */
  idleMs?: number
}

interface RunLimits {
  transfer?: readonly ArrayBuffer[] | undefined
  timeMs?: number | undefined
  signal?: AbortSignal | undefined
}

const IDLE = 20_000
const LOOK_EVERY = 50

/** A thread that runs one task at a time. Exceeding a limit ends the thread; the next task gets a new one. */
export class TaskThread {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(
    private readonly program: string,
    private readonly limits: ThreadLimits,
  ) {}

  /** Call it again only after it has settled. @throws TaskError, and the signal's reason */
  run(call: TaskCall, { timeMs = this.limits.timeMs, signal, transfer = [] }: RunLimits = {}): Promise<unknown> {
    clearTimeout(this.#idle)
    const { growth } = this.limits
    // asking takes as long as a small task
    const before = growth === undefined ? 0 : (residentMemory() ?? 0)
    const worker = this.#started()
    return new Promise((resolve, reject) => {
      const keep = (finish: () => void) => {
        stopWatching()
        this.#idle = setTimeout(() => this.#end(), this.limits.idleMs ?? IDLE).unref()
        finish()
      }
      // the next task may start only after its memory is freed
      const fail = (error: unknown) => {
        stopWatching()
        this.#end().then(() => reject(error))
      }
      const aborted = () => fail(signal?.reason)
      const replied = (reply: TaskReply) =>
        keep(() => ('result' in reply ? resolve(reply.result) : reject(new TaskError('failed', reply.error))))
      const broken = (error: NodeJS.ErrnoException) =>
        fail(new TaskError(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'large' : 'lost', error.message))
      const exited = () => fail(new TaskError('lost', 'the thread ended'))
      const timer = setTimeout(() => fail(new TaskError('slow', `it took more than ${timeMs / 1_000} s`)), timeMs)
      const watch = growth === undefined ? undefined : setInterval(look, LOOK_EVERY, growth)
      function look(most: number) {
        const now = residentMemory()
        if (now !== null && now - before > most)
          fail(new TaskError('large', 'it took more memory than there is for it'))
      }
      function stopWatching() {
        clearTimeout(timer)
        clearInterval(watch)
        signal?.removeEventListener('abort', aborted)
        worker.off('message', replied).off('error', broken).off('exit', exited)
      }
      timer.unref()
      watch?.unref()
      signal?.addEventListener('abort', aborted, { once: true })
      worker.on('message', replied).on('error', broken).on('exit', exited)
      worker.postMessage(call, transfer)
    })
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.program, { resourceLimits: { maxOldGenerationSizeMb: this.limits.heapMb } })
    // tasks don't keep the process alive
    worker.unref()
    // a thread that breaks between two tasks is replaced; its errors concern nobody
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
    })
    this.#worker = worker
    return worker
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate().catch(() => undefined)
  }
}

/**
 * null while no file can be opened, because the system is queried through one: throwing in a timer would end the
 * process.
 */
function residentMemory(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}
