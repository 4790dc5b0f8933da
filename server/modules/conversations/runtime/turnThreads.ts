import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { IntentModel } from '../../../../engine/intents/trainIntents'
import type { Recording } from '../../../../engine/run/recordingFormat'
import type { Replayed } from '../../../../engine/run/recordingReplay'
import type { RuntimeEffect } from '../../../../engine/run/runBlock'
import type { Session, TurnResult } from '../../../../engine/run/session'
import type { TurnInput } from '../../../../engine/run/turn'
import type { Json } from '../../../../engine/values/json'
import { ApiError } from '../../../platform/errors'
import type { Pauses } from '../tables'

/**
 * The budget of a turn in the server's main thread: some 10 to 20 ms. A turn that needs more starts again in a worker
 * thread.
 */
export const OWN_UNITS = 1_000_000
/**
 * Milliseconds that a worker may take for a turn, for a replay, and for loading a version, including its own start;
 * beyond that the worker is terminated.
 */
const LIMITS = { turn: 2_000, replay: 10_000, load: 15_000 }
/** Heap limit of a worker, in MB. */
const MEMORY = 512
/** Workers that are idle for so long are terminated, to release their memory. */
const IDLE = 60_000
/** The most waiting turns of one project, and of all; beyond that, callers are asked to try again later. */
const WAITING = { project: 20, all: 200 }

/** A turn to run from its start: the results it got before are passed again. */
export interface TurnTask {
  /** identifies the version */
  key: string
  session: Session
  input: TurnInput
  pauses: Pauses | null
  /** results of the effects so far, in order */
  given: readonly Json[]
}

/** A version as a worker loads it: JSON texts, and the trained model of its intents. */
export interface ProgramSource {
  flow: string
  flows: string
  model: IntentModel | null
  asksMeaning: boolean
}

export type ToThread =
  | ({ type: 'load'; key: string } & ProgramSource)
  | { type: 'begin'; task: TurnTask }
  | { type: 'answer'; result: Json }
  | { type: 'replay'; key: string; recording: Recording }
export type FromThread =
  | { type: 'loaded' }
  | { type: 'lacks' }
  | { type: 'asks'; effect: RuntimeEffect; spent: number }
  | { type: 'done'; result: TurnResult; spent: number }
  | { type: 'replayed'; replayed: Replayed }

/**
 * The outcome of a task: the turn's end, an effect that `answer` had no result for, or `lost` (it exceeded the limit of
 * time or memory).
 */
export type ThreadOutcome =
  | { done: true; result: TurnResult; spent: number }
  | { done: false; effect: RuntimeEffect; spent: number }
  | 'lost'

type Source = () => Promise<ProgramSource>
type Answer = (effect: RuntimeEffect) => Json | undefined

interface Job {
  projectId: string
  carryOut: (thread: Thread) => Promise<void>
  reject: (error: unknown) => void
}

export type TurnThreads = ReturnType<typeof createTurnThreads>

/** Built beside the server; sources have none, so that tests and `npm run dev` run all turns in the main thread. */
const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'turnWorker.js')

export interface ThreadOptions {
  /** the worker's program; null: there are no workers */
  file?: string | null
  /** the number of workers */
  size?: number
  limits?: typeof LIMITS
  waiting?: typeof WAITING
}

/**
 * Worker threads for turns that need more CPU time than the main thread can give. They are shared fairly between
 * projects: no project has more than half of them, and the waiting project with the fewest goes first. A worker whose
 * turn exceeds its limit is terminated and replaced.
 */
export function createTurnThreads({
  file = existsSync(WORKER) ? WORKER : null,
  size = Math.max(2, Math.min(4, availableParallelism() - 1)),
  limits = LIMITS,
  waiting: most = WAITING,
}: ThreadOptions = {}) {
  const share = Math.max(1, Math.floor(size / 2))
  const waiting: Job[] = []
  const busy = new Map<string, number>()
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  let closed = false

  const at = (projectId: string) => busy.get(projectId) ?? 0

  function next(): void {
    if (file === null || (idle.length === 0 && threads.size >= size)) return
    const job = waiting
      .filter(({ projectId }) => at(projectId) < share)
      .reduce<Job | null>((first, one) => (first && at(first.projectId) <= at(one.projectId) ? first : one), null)
    if (!job) return
    waiting.splice(waiting.indexOf(job), 1)
    const thread = idle.pop() ?? new Thread(file, dropIdle)
    threads.add(thread)
    busy.set(job.projectId, at(job.projectId) + 1)
    job
      .carryOut(thread)
      .catch(job.reject)
      .finally(() => {
        const left = at(job.projectId) - 1
        if (left > 0) busy.set(job.projectId, left)
        else busy.delete(job.projectId)
        if (closed || thread.isLost) {
          threads.delete(thread)
          thread.end()
        } else {
          idle.push(thread)
          thread.rest()
        }
        next()
      })
    next()
  }

  function dropIdle(thread: Thread): void {
    const place = idle.indexOf(thread)
    if (place < 0) return
    idle.splice(place, 1)
    threads.delete(thread)
    thread.end()
  }

  /** Sends a request about a version to a worker, along with the version if the worker has not loaded it. */
  async function ask(thread: Thread, key: string, message: ToThread, limit: number, source: Source) {
    // a new worker has loaded no version, and its start does not count as the turn's time
    if (!thread.isNew) {
      const told = await thread.ask(message, limit)
      if (told?.type !== 'lacks') return told
    }
    const version = await source()
    const loaded = await thread.ask({ type: 'load', key, ...version }, limits.load)
    return loaded && thread.ask(message, limit)
  }

  async function carryOut(thread: Thread, task: TurnTask, source: Source, answer: Answer): Promise<ThreadOutcome> {
    let told = await ask(thread, task.key, { type: 'begin', task }, limits.turn, source)
    const end = performance.now() + limits.turn
    while (told?.type === 'asks') {
      const result = answer(told.effect)
      if (result === undefined) return { done: false, effect: told.effect, spent: told.spent }
      told = await thread.ask({ type: 'answer', result }, Math.max(1, end - performance.now()))
    }
    return told?.type === 'done' ? { done: true, result: told.result, spent: told.spent } : 'lost'
  }

  function queue<Result>(projectId: string, work: (thread: Thread) => Promise<Result>): Promise<Result> {
    const ofProject = waiting.filter((job) => job.projectId === projectId).length
    if (closed || ofProject >= most.project || waiting.length >= most.all) throw new ApiError('overloaded')
    return new Promise((resolve, reject) => {
      const carryOut = async (thread: Thread) => {
        const result = await work(thread)
        if (closed) throw new ApiError('overloaded')
        resolve(result)
      }
      waiting.push({ projectId, carryOut, reject })
      next()
    })
  }

  return {
    /** Whether there are workers: without them a turn runs to its end in the main thread. */
    present: file !== null,

    /**
     * Runs a turn in a worker.
     * @param source the version, for a worker that has not loaded it
     * @param answer gives an effect's result; undefined for an external call
     * @throws ApiError overloaded when too many wait
     */
    run: (projectId: string, task: TurnTask, source: Source, answer: Answer): Promise<ThreadOutcome> =>
      queue(projectId, (thread) => carryOut(thread, task, source, answer)),

    /**
     * Replays a recorded conversation in a worker; null when that takes too long. @throws ApiError overloaded when too
     * many wait
     */
    replay: (projectId: string, key: string, recording: Recording, source: Source): Promise<Replayed | null> =>
      queue(projectId, async (thread) => {
        const told = await ask(thread, key, { type: 'replay', key, recording }, limits.replay, source)
        return told?.type === 'replayed' ? told.replayed : null
      }),

    /** Terminates the workers. Their turns are treated as not started. */
    close(): void {
      closed = true
      for (const job of waiting.splice(0)) job.reject(new ApiError('overloaded'))
      for (const thread of threads) thread.lose()
    },
  }
}

/** One worker: one request and response at a time. A worker that is late or fails is lost. */
class Thread {
  isLost = false
  /** it has had no request yet */
  isNew = true
  private readonly worker: Worker
  private settle: ((told: FromThread | null) => void) | null = null
  private timer: NodeJS.Timeout | null = null

  constructor(
    file: string,
    private readonly onIdle: (thread: Thread) => void,
  ) {
    this.worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
    // a worker must not keep a stopping process alive
    this.worker.unref()
    this.worker.on('message', (told: FromThread) => this.answered(told))
    this.worker.on('error', () => this.lose())
    this.worker.on('exit', () => this.lose())
  }

  /** @returns null when the worker was lost during the request */
  ask(message: ToThread, limit: number): Promise<FromThread | null> {
    this.isNew = false
    if (this.isLost) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.settle = resolve
      this.wait(() => this.lose(), limit)
      this.worker.postMessage(message)
    })
  }

  rest(): void {
    this.wait(() => this.onIdle(this), IDLE)
  }

  end(): void {
    this.isLost = true
    if (this.timer) clearTimeout(this.timer)
    this.worker.terminate().catch(() => undefined)
  }

  /** Terminates it; its request gets no response. */
  lose(): void {
    this.end()
    this.answered(null)
    this.onIdle(this)
  }

  private answered(told: FromThread | null): void {
    if (this.timer) clearTimeout(this.timer)
    const settle = this.settle
    this.settle = null
    settle?.(told)
  }

  private wait(then: () => void, limit: number): void {
    if (this.timer) clearTimeout(this.timer)
    const due = this.settle
    // a response that arrived while this process was busy still counts
    this.timer = setTimeout(() => setImmediate(() => this.settle === due && then()), limit).unref()
  }
}
