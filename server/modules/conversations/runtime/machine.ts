import type { RecordedAnswer } from '../../../../engine/run/recordingFormat'
import type { HostEffect } from '../../../../engine/run/runBlock'
import type { TurnResult } from '../../../../engine/run/session'
import type { Json } from '../../../../engine/values/json'
import type { ThreadOutcome } from './turnThreads'

/** One effect of a turn, as the table `effects` keeps it. */
export interface RecordedEffect {
  position: number
  type: HostEffect['type']
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
  /** goes on to the end of the turn or to the next call outside; null when that takes too much work here: see `inThread` */
  advance(): MachineStep | null
  /** gives the call's result and goes on, likewise */
  answer(result: Json): MachineStep | null
  /** carries out the turn from its start in a thread, with what it was answered so far, and goes on there */
  inThread(): Promise<MachineStep>
  /** effects that came up since the last time they were taken, to be written before the turn goes on */
  takeFresh(): RecordedEffect[]
  /** everything that the turn was answered so far, from the record or not */
  answers(): readonly RecordedAnswer[]
}

/** Carries out the turn elsewhere: what it was given before, and what it is answered from then on. */
type Elsewhere = (given: Json[], answer: (effect: HostEffect) => Json | undefined) => Promise<ThreadOutcome>

/**
 * Drives one turn of the engine. Time and chance are answered on the spot, calls outside are handed out. What is `recorded` (of a
 * turn that was cut) is answered from the record; a call that was started and not finished is handed out again, under its key.
 * @param turn here, as far as its budget goes; null: in a thread from the start
 * @param thread null: there is none, so that the budget is the turn's own
 * @param lost what becomes of a turn that a thread could not carry out
 */
export function createTurnMachine(
  turn: Generator<HostEffect, TurnResult, Json> | null,
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
  /** the effect that the next answer is for */
  let asked: HostEffect | null = null

  /** What an effect is answered, from the record or on the spot; undefined for a call, which is noted. */
  function known(effect: HostEffect): Json | undefined {
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

  function handOut(effect: HostEffect): MachineStep {
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

function answerTo(effect: HostEffect, result: Json): RecordedAnswer {
  if (effect.type === 'now') return { type: 'now', result: String(result) }
  if (effect.type === 'random') return { type: 'random', result: Number(result) }
  return { type: 'call', service: effect.service, request: effect.request, result }
}
