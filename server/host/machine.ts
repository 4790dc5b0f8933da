import type { RecordedAnswer } from '../../engine/run/recordingFormat'
import type { HostEffect } from '../../engine/run/runBlock'
import type { TurnResult } from '../../engine/run/session'
import type { Json } from '../../engine/values/json'

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
  /** goes on to the end of the turn or to the next call outside */
  advance(): MachineStep
  /** gives the call's result and goes on */
  answer(result: Json): MachineStep
  /** effects that came up since the last time they were taken, to be written before the turn goes on */
  takeFresh(): RecordedEffect[]
  /** everything that the turn was answered so far, from the record or not */
  answers(): readonly RecordedAnswer[]
}

/**
 * Drives one turn of the engine. Time and chance are answered on the spot, calls outside are handed out. What is `recorded` (of a
 * turn that was cut) is answered from the record; a call that was started and not finished is handed out again, under its key.
 */
export function createTurnMachine(
  turn: Generator<HostEffect, TurnResult, Json>,
  recorded: readonly RecordedEffect[],
  sources: { now: () => Date; random: () => number },
): TurnMachine {
  let position = 0
  let fresh: RecordedEffect[] = []
  const answers: RecordedAnswer[] = []
  /** the effect that the next answer is for */
  let asked: HostEffect | null = null

  function give(effect: HostEffect, result: Json) {
    answers.push(answerTo(effect, result))
    return turn.next(result)
  }

  function run(answer: Json): MachineStep {
    let next = asked ? give(asked, answer) : turn.next(answer)
    asked = null
    while (!next.done) {
      const effect = next.value
      const known = recorded[position]
      if (known?.type === effect.type && known.status === 'done') {
        position += 1
        next = give(effect, known.result)
        continue
      }
      if (effect.type === 'call') {
        const call = { position, key: effect.key, service: effect.service, request: effect.request }
        if (!known) {
          fresh.push({
            position,
            type: 'call',
            key: call.key,
            request: callRecord(call),
            status: 'started',
            result: null,
          })
        }
        asked = effect
        return { done: false, call }
      }
      const result = effect.type === 'now' ? sources.now().toISOString() : sources.random()
      fresh.push({ position, type: effect.type, key: null, request: null, status: 'done', result })
      position += 1
      next = give(effect, result)
    }
    return { done: true, result: next.value }
  }

  return {
    advance: () => run(null),
    answer(result) {
      position += 1
      return run(result)
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

const callRecord = ({ service, request }: PendingCall): Json => ({ service, request })
