import { parentPort } from 'node:worker_threads'
import { registry } from '../../../../blocks/registry'
import { Budget, TURN_UNITS } from '../../../../engine/budget'
import type { Flow } from '../../../../engine/flow/schema'
import { createClassifier } from '../../../../engine/intents/createClassifier'
import { createProgram, type Program } from '../../../../engine/run/program'
import { replayRecording } from '../../../../engine/run/recordingReplay'
import type { RuntimeEffect } from '../../../../engine/run/runBlock'
import type { TurnResult } from '../../../../engine/run/session'
import { turn } from '../../../../engine/run/turn'
import type { Json } from '../../../../engine/values/json'
import { loadFindMeaning } from '../../knowledge/meaning/findMeaning'
import type { FromThread, ToThread, TurnTask } from './turnThreads'
import { watchOf } from './watchOf'

/** The worker thread of turnThreads.ts, a program of its own in the build. It runs one turn at a time. */

/** The most characters of flows whose programs are cached. */
const KEPT = 40_000_000

const programs = new Map<string, { program: Program; size: number }>()
let running: Generator<RuntimeEffect, TurnResult, Json> | null = null
let budget = new Budget(TURN_UNITS)

async function load({ key, flow, flows, model, asksMeaning }: Extract<ToThread, { type: 'load' }>): Promise<void> {
  const program = createProgram(JSON.parse(flow) as Flow, registry, {
    flows: JSON.parse(flows) as Record<string, Flow>,
    classify: model && createClassifier(model, await loadFindMeaning()),
    asksMeaning,
  })
  programs.set(key, { program, size: flow.length + flows.length })
  let total = [...programs.values()].reduce((sum, { size }) => sum + size, 0)
  for (const [other, { size }] of programs) {
    if (total <= KEPT || other === key) break
    programs.delete(other)
    total -= size
  }
}

function find(key: string): Program | null {
  const kept = programs.get(key)
  if (!kept) return null
  programs.delete(key)
  programs.set(key, kept)
  return kept.program
}

/** Passes the results that the turn got before, then runs to its end or to the next effect without a result. */
function begin({ key, session, input, pauses, given }: TurnTask): FromThread {
  const program = find(key)
  if (!program) return { type: 'lacks' }
  budget = new Budget(TURN_UNITS)
  running = turn(program, session, input, watchOf(pauses), budget)
  let next = running.next()
  for (const result of given) if (!next.done) next = running.next(result)
  return told(next)
}

const told = (next: IteratorResult<RuntimeEffect, TurnResult>): FromThread =>
  next.done
    ? { type: 'done', result: next.value, spent: budget.spent }
    : { type: 'asks', effect: next.value, spent: budget.spent }

async function answer(message: ToThread): Promise<FromThread> {
  switch (message.type) {
    case 'load':
      await load(message)
      return { type: 'loaded' }
    case 'begin':
      return begin(message.task)
    case 'replay': {
      const program = find(message.key)
      return program ? { type: 'replayed', replayed: replayRecording(program, message.recording) } : { type: 'lacks' }
    }
    case 'answer':
      if (!running) throw new Error('No turn is under way.')
      return told(running.next(message.result))
  }
}

/** An error ends the thread, as one outside a promise does. */
const fail = (error: unknown) => {
  setImmediate(() => {
    throw error
  })
}
parentPort?.on('message', (message: ToThread) => {
  answer(message).then((told) => parentPort?.postMessage(told), fail)
})
