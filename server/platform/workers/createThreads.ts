import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { carryOut, type Task } from './defineTask'
import { TaskThread, type ThreadLimits } from './thread'

export interface RunOptions {
  /** whom the task is for: waiting owners take turns, and none may occupy all of several threads */
  owner?: string
  /** a time limit in ms for this task */
  timeMs?: number
  /** aborts the task, or removes it from the queue */
  signal?: AbortSignal
  /** buffers of the input that are transferred instead of copied: the caller can't use them any more */
  transfer?: readonly ArrayBuffer[]
}
/** Runs a task. @throws TaskError if it fails or exceeds its limits, and the signal's reason */
export type RunTask = <Input, Result>(
  task: Task<Input, Result>,
  input: NoInfer<Input>,
  options?: RunOptions,
) => Promise<Result>

export interface ThreadsOptions extends ThreadLimits {
  /** default: 1 */
  threads?: number
  /** the threads' program; null: tasks run in this thread, without limits. Default: the built one; sources have none */
  program?: string | null
}

interface Waiting {
  owner: string
  start: (thread: TaskThread) => Promise<void>
}

/** Beside the built server. */
const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'taskThread.js')

/** Creates threads that run tasks with limits of time and memory for each, without blocking the server. */
export function createThreads({
  threads = 1,
  program = existsSync(PROGRAM) ? PROGRAM : null,
  ...limits
}: ThreadsOptions): RunTask {
  if (program === null) return runHere
  const idle = Array.from({ length: threads }, () => new TaskThread(program, limits))
  /** by owner, least recently served first */
  const queues = new Map<string, Waiting[]>()
  const running = new Map<string, number>()
  const mostOfOne = Math.max(1, threads - 1)

  function next(): void {
    while (idle.length > 0) {
      const waiting = takeOne()
      const thread = waiting && idle.pop()
      if (!thread) return
      const { owner, start } = waiting
      running.set(owner, (running.get(owner) ?? 0) + 1)
      start(thread).then(() => {
        const left = (running.get(owner) ?? 1) - 1
        if (left > 0) running.set(owner, left)
        else running.delete(owner)
        idle.push(thread)
        next()
      })
    }
  }

  function takeOne(): Waiting | undefined {
    for (const [owner, queue] of queues) {
      if ((running.get(owner) ?? 0) >= mostOfOne) continue
      const waiting = queue.shift()
      queues.delete(owner)
      if (queue.length > 0) queues.set(owner, queue)
      if (waiting) return waiting
    }
  }

  function leave(waiting: Waiting): void {
    const queue = queues.get(waiting.owner)
    const at = queue?.indexOf(waiting) ?? -1
    if (at >= 0) queue?.splice(at, 1)
  }

  return <Input, Result>(
    { name }: Task<Input, Result>,
    input: Input,
    { owner = '', timeMs, signal, transfer }: RunOptions = {},
  ) =>
    new Promise<Result>((resolve, reject) => {
      const aborted = () => {
        leave(waiting)
        reject(signal?.reason)
      }
      const waiting: Waiting = {
        owner,
        start: (thread) => {
          signal?.removeEventListener('abort', aborted)
          return thread
            .run({ name, input }, { timeMs, signal, transfer })
            .then((result) => resolve(result as Result), reject)
        },
      }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', aborted, { once: true })
      const queue = queues.get(owner)
      if (queue) queue.push(waiting)
      else queues.set(owner, [waiting])
      next()
    })
}

const runHere: RunTask = async (task, input, { signal } = {}) => {
  signal?.throwIfAborted()
  return carryOut(task, input)
}
