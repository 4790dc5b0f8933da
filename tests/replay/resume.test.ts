import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StartEvent } from '../../engine/flow/conversation'
import type { Reply } from '../../engine/flow/effects'
import { driveTurn } from '../../engine/run/drive'
import type { Program } from '../../engine/run/program'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import type { Session, TurnResult } from '../../engine/run/session'
import { newSession, type TurnInput, turn } from '../../engine/run/turn'
import type { Json } from '../../engine/values/json'
import { randomProgram, randomReply, randomStart } from './randomFlows'

const SEED = 20261121
const TURNS = 12
const rolls = fc.array(fc.nat(1_000), { minLength: TURNS, maxLength: TURNS })
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

class Crash extends Error {}

/** A runtime that keeps results by key, as the server's does, and may crash before, or right after, it has carried one out. */
class Runtime {
  readonly results = new Map<string, Json>()
  readonly carriedOut: string[] = []
  readonly asked: string[] = []
  crashIn = Number.POSITIVE_INFINITY
  answer = (effect: RuntimeEffect): Json => {
    this.asked.push(effect.key)
    const known = this.results.get(effect.key)
    if (known !== undefined) return known
    if (--this.crashIn === 0) throw new Crash()
    const count = this.carriedOut.push(`${effect.type} ${effect.key}`)
    const result: Json =
      effect.type === 'random' ? ((count * 7) % 10) / 10 : effect.type === 'now' ? `time ${count}` : { count }
    this.results.set(effect.key, throughJson(result))
    if (--this.crashIn === 0) throw new Crash()
    return result
  }
}

/** Talks for some turns. With `crashes`, each turn is cut at every point in succession and begun again from the stored session. */
function talk(
  program: Program,
  event: StartEvent,
  replies: number[],
  crashes: boolean,
): { results: TurnResult[]; runtime: Runtime } {
  const runtime = new Runtime()
  const results: TurnResult[] = []
  let session: Session = newSession(program)
  let input: TurnInput = { type: 'start', event }
  for (const roll of replies) {
    const result = crashes
      ? finishInSpiteOfCrashes(program, session, input, runtime)
      : driveTurn(turn(program, session, input), runtime.answer)
    results.push(result)
    session = crashes ? throughJson(result.session) : result.session
    if (session.status !== 'waiting' || !session.request) break
    input = { type: 'reply', reply: randomReply(session.request, roll) }
  }
  return { results, runtime }
}

function finishInSpiteOfCrashes(program: Program, session: Session, input: TurnInput, runtime: Runtime): TurnResult {
  for (let attempt = 0; attempt < 5_000; attempt++) {
    // odd: right after the next effect that is new; even: before the one that follows it. A turn of a thousand effects
    // would be run thousands of times: there the cuts come further and further apart
    const further = 2 * Math.floor(attempt / 200)
    runtime.crashIn = 3 - (attempt % 2) + further
    try {
      const result = driveTurn(turn(program, throughJson(session), throughJson(input)), runtime.answer)
      return throughJson(result)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }
  throw new Error('The turn did not end.')
}

describe('whatever the flows and the visitor', () => {
  test('a turn ends: waiting with a request, or ended', () => {
    const property = fc.property(randomProgram, randomStart, rolls, (program, event, replies) => {
      const { results, runtime } = talk(program, event, replies, false)
      for (const { session, stopped, trace } of results) {
        const { status, request, at, flowId, frames, journal } = session
        expect(status === 'waiting').toBe(request !== null)
        if (status === 'ended')
          expect({ at, flowId, frames, journal }).toEqual({ at: null, flowId: null, frames: [], journal: [] })
        else if (at === null) expect({ flowId, frames, journal }).toEqual({ flowId: null, frames: [], journal: [] })
        if (stopped) expect(status).toBe('ended')
        expect(trace.length).toBeLessThanOrEqual(1_001)
        expect(frames.filter(({ type }) => type === 'flow').length).toBeLessThanOrEqual(10)
        const waiting = frames.flatMap((frame) => (frame.type === 'again' ? [frame.by] : []))
        expect(new Set(waiting).size).toBe(waiting.length)
      }
      expect(new Set(runtime.asked).size).toBe(runtime.asked.length)
    })
    fc.assert(property, { seed: SEED, numRuns: 1_500 })
  })

  test('a session is plain JSON, is not changed by its turn, and what it holds is enough to be where it was', () => {
    const property = fc.property(randomProgram, randomStart, rolls, (program, event, replies) => {
      const { results } = talk(program, event, replies, false)
      for (const { session } of results) {
        const copy = throughJson(session)
        expect(copy).toEqual(session)
        if (!session.request) continue
        const next = (reply: Reply) => driveTurn(turn(program, session, { type: 'reply', reply }), new Runtime().answer)
        next(randomReply(session.request, 3))
        expect(session).toEqual(copy)
        // what nobody waits for runs the block again as far as it was, and no further
        const nothing = next(session.request.input === 'wait' ? { type: 'skip' } : { type: 'timeout' })
        if (session.request.input !== 'wait' && session.request.timeout !== undefined) continue
        expect(nothing.session).toEqual(session)
        expect(nothing.messages).toEqual([])
      }
    })
    fc.assert(property, { seed: SEED + 1, numRuns: 500 })
  })

  test('crashing at every effect and every turn changes nothing: same messages, same state, no effect twice', () => {
    const property = fc.property(randomProgram, randomStart, rolls, (program, event, replies) => {
      const calm = talk(program, event, replies, false)
      const stormy = talk(program, event, replies, true)
      expect(stormy.results).toEqual(throughJson(calm.results))
      expect(stormy.runtime.carriedOut).toEqual(calm.runtime.carriedOut)
      expect(new Set(stormy.runtime.carriedOut).size).toBe(stormy.runtime.carriedOut.length)
    })
    fc.assert(property, { seed: SEED + 2, numRuns: 600 })
  })

  test('the random flows are worth it: they enter flows, intents cut in and come back, waits time out, rails stop', () => {
    const seen = { inSubFlow: 0, deep: 0, again: 0, cutIn: 0, listening: 0, timeout: 0, stopped: 0, returned: 0 }
    const runs = fc.sample(fc.tuple(randomProgram, randomStart, rolls), { seed: SEED, numRuns: 1_500 })
    for (const [program, event, replies] of runs) {
      for (const { session, stopped, trace } of talk(program, event, replies, false).results) {
        if (session.flowId !== null) seen.inSubFlow++
        if (session.frames.filter(({ type }) => type === 'flow').length > 1) seen.deep++
        if (session.frames.some(({ type }) => type === 'again')) seen.again++
        if (session.cutIn) seen.cutIn++
        if (session.status === 'waiting' && !session.at) seen.listening++
        if (session.request?.timeout !== undefined) seen.timeout++
        if (stopped) seen.stopped++
        if (trace.some(({ port }) => port === 'returned')) seen.returned++
      }
    }
    for (const [what, count] of Object.entries(seen)) expect([what, count]).toEqual([what, Math.max(count, 10)])
  })
})
