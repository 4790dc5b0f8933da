import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { IntentModel } from '../../../../engine/intents/trainIntents'
import type { Recording } from '../../../../engine/run/recordingFormat'
import type { Replayed } from '../../../../engine/run/recordingReplay'
import type { HostEffect } from '../../../../engine/run/runBlock'
import type { Session, TurnResult } from '../../../../engine/run/session'
import type { TurnInput } from '../../../../engine/run/turn'
import type { Json } from '../../../../engine/values/json'
import { ApiError } from '../../../platform/errors'
import type { Pauses } from '../tables'

/** What a turn may cost in the server's own thread: some 10 to 20 ms. What takes more begins anew in one of these. */
export const OWN_UNITS = 1_000_000
/**
 * ms that a thread may be at a turn, at a recorded conversation, and at making a version ready for it, its own start included; what takes
 * longer costs the thread.
 */
const LIMITS = { turn: 2_000, replay: 10_000, load: 15_000 }
/** MB of a thread's heap. */
const MEMORY = 512
/** Threads end, and give their memory back, when nothing is to be done for so long. */
const IDLE = 60_000
/** Turns of one project that wait, and of all; whoever comes then is asked to come back. */
const WAITING = { project: 20, all: 200 }

/** A turn to carry out from its start: what it was answered before is given again. */
export interface TurnTask {
  /** names the version */
  key: string
  session: Session
  input: TurnInput
  pauses: Pauses | null
  /** results of the effects that came up so far, in order */
  given: readonly Json[]
}

/** A version as a thread makes its program of it: texts of JSON, and what its intents have learnt. */
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
  | { type: 'asks'; effect: HostEffect; spent: number }
  | { type: 'done'; result: TurnResult; spent: number }
  | { type: 'replayed'; replayed: Replayed }

/**
 * How far a turn came, for which work: to its end, to an effect that `answer` did not know, or no further (`lost`: it took too long, or
 * too much memory).
 */
export type ThreadOutcome =
  | { done: true; result: TurnResult; spent: number }
  | { done: false; effect: HostEffect; spent: number }
  | 'lost'

type Source = () => Promise<ProgramSource>
type Answer = (effect: HostEffect) => Json | undefined

interface Job {
  projectId: string
  carryOut: (thread: Thread) => Promise<void>
  reject: (error: unknown) => void
}

export type TurnThreads = ReturnType<typeof createTurnThreads>

/** Beside the built server; sources have none, so tests and `npm run dev` run all turns in their own thread. */
const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'turnWorker.js')

export interface ThreadOptions {
  /** the thread's program; null: there are no threads */
  file?: string | null
  /** how many threads */
  size?: number
  limits?: typeof LIMITS
  waiting?: typeof WAITING
}

/**
 * Threads for turns that take more work than the server's own thread has time for. They are shared out by project: no project has more
 * than half of them, and of those that wait the one that has the fewest goes first. A turn over its limit costs its thread, which is
 * replaced.
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

  /** Asks for something about a version, and gives the thread that version where it lacks it. */
  async function ask(thread: Thread, key: string, message: ToThread, limit: number, source: Source) {
    // a new thread lacks every version, and what it takes to start is none of the turn's time
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
    /** Whether there are any: without them a turn is carried out to its end where it begins. */
    present: file !== null,

    /**
     * Carries out a turn in a thread.
     * @param source the version, for a thread that does not have it
     * @param answer what an effect is answered; undefined for one that can't be answered at once
     * @throws ApiError overloaded when too many wait
     */
    run: (projectId: string, task: TurnTask, source: Source, answer: Answer): Promise<ThreadOutcome> =>
      queue(projectId, (thread) => carryOut(thread, task, source, answer)),

    /** Has a recorded conversation again in a thread; null when that takes too long. @throws ApiError overloaded, likewise */
    replay: (projectId: string, key: string, recording: Recording, source: Source): Promise<Replayed | null> =>
      queue(projectId, async (thread) => {
        const told = await ask(thread, key, { type: 'replay', key, recording }, limits.replay, source)
        return told?.type === 'replayed' ? told.replayed : null
      }),

    /** Ends the threads. Turns that they were at are as if they had not begun. */
    close(): void {
      closed = true
      for (const job of waiting.splice(0)) job.reject(new ApiError('overloaded'))
      for (const thread of threads) thread.lose()
    },
  }
}

/** One thread: a question and its answer at a time. One that is late, or fails, is lost. */
class Thread {
  isLost = false
  /** it was asked nothing yet */
  isNew = true
  private readonly worker: Worker
  private settle: ((told: FromThread | null) => void) | null = null
  private timer: NodeJS.Timeout | null = null

  constructor(
    file: string,
    private readonly onIdle: (thread: Thread) => void,
  ) {
    this.worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
    // a turn keeps no process alive that is told to end
    this.worker.unref()
    this.worker.on('message', (told: FromThread) => this.answered(told))
    this.worker.on('error', () => this.lose())
    this.worker.on('exit', () => this.lose())
  }

  /** @returns null when the thread was lost over it */
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

  /** Ends it; what it was asked has no answer. */
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
    // an answer that came while this process was at something else still counts
    this.timer = setTimeout(() => setImmediate(() => this.settle === due && then()), limit).unref()
  }
}
