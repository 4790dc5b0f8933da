import { Worker } from 'node:worker_threads'
import type { TaskCall, TaskReply } from './defineTask'
import { TaskError } from './taskError'

export interface ThreadLimits {
  /** ms for a task */
  timeMs: number
  /** MB of the thread's heap */
  heapMb: number
  /** bytes by which the process may grow meanwhile, where tasks take memory outside of the heap */
  growth?: number
  /** ms without a task after which the thread is ended, and its memory given back; 20 s unless said */
  idleMs?: number
}

interface RunLimits {
  transfer?: readonly ArrayBuffer[] | undefined
  timeMs?: number | undefined
  signal?: AbortSignal | undefined
}

const IDLE = 20_000
const LOOK_EVERY = 50

/** A thread that carries out one task at a time. What goes beyond its limits costs the thread; the next task gets a new one. */
export class TaskThread {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(
    private readonly program: string,
    private readonly limits: ThreadLimits,
  ) {}

  /** Call it again only when it has settled. @throws TaskError, and the signal's reason */
  run(call: TaskCall, { timeMs = this.limits.timeMs, signal, transfer = [] }: RunLimits = {}): Promise<unknown> {
    clearTimeout(this.#idle)
    const { growth } = this.limits
    const before = residentMemory() ?? 0
    const worker = this.#started()
    return new Promise((resolve, reject) => {
      const keep = (finish: () => void) => {
        stopWatching()
        this.#idle = setTimeout(() => this.#end(), this.limits.idleMs ?? IDLE).unref()
        finish()
      }
      // only when its memory is given back may the next task begin
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
    // tasks keep no process alive
    worker.unref()
    // one that breaks between two tasks is replaced, and what it still throws concerns nobody
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

/** null while no file may be opened, since the system is asked by one: in a timer that would end the process. */
function residentMemory(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}
