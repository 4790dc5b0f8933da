import type { RecordedAnswer } from '../../../../engine/run/recordingFormat'
import type { RuntimeEffect } from '../../../../engine/run/runBlock'
import type { TurnResult } from '../../../../engine/run/session'
import type { Json } from '../../../../engine/values/json'
import type { ThreadOutcome } from './turnThreads'

/** An effect of a turn, as a row of the table `effects`. */
export interface RecordedEffect {
  position: number
  type: RuntimeEffect['type']
  key: string | null
  request: Json
  status: 'started' | 'done'
  result: Json
}
export interface PendingCall {
  position: number
  key: string
  service: string
  request: Json
}
export type MachineStep = { done: true; result: TurnResult } | { done: false; call: PendingCall }

export interface TurnMachine {
  /**
   * runs to the end of the turn or to the next external call; null if that takes too much CPU time here: then use
   * `inThread`
   */
  advance(): MachineStep | null
  /** passes the call's result and runs on, likewise */
  answer(result: Json): MachineStep | null
  /** runs the turn from its start in a worker thread, with the results it got so far, and continues there */
  inThread(): Promise<MachineStep>
  /** effects since the last call of this function, to be stored before the turn continues */
  takeFresh(): RecordedEffect[]
  /** all results that the turn got so far, stored or new */
  answers(): readonly RecordedAnswer[]
}

/** Runs the turn elsewhere: `given` are the results it got before, `answer` gives those of later effects. */
type Elsewhere = (given: Json[], answer: (effect: RuntimeEffect) => Json | undefined) => Promise<ThreadOutcome>

/**
 * Runs one turn of the engine. Effects of time and randomness get their results at once; external calls are returned to
 * the caller. For a turn that was interrupted, results in `recorded` are used again; a call that was started and not
 * finished is returned again, with the same key.
 * @param turn runs it in this thread within its budget; null: in a worker thread from the start
 * @param thread null: there is none, so that the turn's own budget applies
 * @param lost gives the result of a turn that a worker thread could not finish
 */
export function createTurnMachine(
  turn: Generator<RuntimeEffect, TurnResult, Json> | null,
  recorded: readonly RecordedEffect[],
  sources: { now: () => Date; random: () => number },
  thread: Elsewhere | null = null,
  lost: () => TurnResult = () => {
    throw new Error('There is no thread.')
  },
): TurnMachine {
  let here = turn
  let fresh: RecordedEffect[] = []
  const answers: RecordedAnswer[] = []
  /** the effect that the next result is for */
  let asked: RuntimeEffect | null = null

  /** The result of an effect, stored or computed at once; undefined for an external call, which is recorded. */
  function known(effect: RuntimeEffect): Json | undefined {
    const position = answers.length
    const before = recorded[position]
    let result: Json
    if (before?.type === effect.type && before.status === 'done') result = before.result
    else if (effect.type === 'call') {
      const request = { service: effect.service, request: effect.request }
      if (!before) fresh.push({ position, type: 'call', key: effect.key, request, status: 'started', result: null })
      asked = effect
      return undefined
    } else {
      result = effect.type === 'now' ? sources.now().toISOString() : sources.random()
      fresh.push({ position, type: effect.type, key: null, request: null, status: 'done', result })
    }
    answers.push(answerTo(effect, result))
    return result
  }

  function handOut(effect: RuntimeEffect): MachineStep {
    if (effect.type !== 'call') throw new Error('Only calls are handed out.')
    const { key, service, request } = effect
    return { done: false, call: { position: answers.length, key, service, request } }
  }

  function run(answer: Json): MachineStep | null {
    let next = here?.next(answer)
    while (next && !next.done) {
      const result = known(next.value)
      if (result === undefined) return handOut(next.value)
      next = here?.next(result)
    }
    if (next && !(thread && next.value.stopped?.reason === 'too-much-work')) return { done: true, result: next.value }
    here = null
    return null
  }

  return {
    advance: () => run(null),
    answer(result) {
      if (asked) answers.push(answerTo(asked, result))
      asked = null
      return run(result)
    },
    async inThread() {
      if (!thread) throw new Error('There is no thread.')
      const outcome = await thread(
        answers.map(({ result }) => result),
        known,
      )
      if (outcome === 'lost') return { done: true, result: lost() }
      return outcome.done ? outcome : handOut(outcome.effect)
    },
    takeFresh() {
      const taken = fresh
      fresh = []
      return taken
    },
    answers: () => answers,
  }
}

function answerTo(effect: RuntimeEffect, result: Json): RecordedAnswer {
  if (effect.type === 'now') return { type: 'now', result: String(result) }
  if (effect.type === 'random') return { type: 'random', result: Number(result) }
  return { type: 'call', service: effect.service, request: effect.request, result }
}
