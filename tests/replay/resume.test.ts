import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driveTurn } from '../../engine/run/drive'
import { createProgram, type Program } from '../../engine/run/program'
import type { HostEffect } from '../../engine/run/runBlock'
import type { Session, TurnResult } from '../../engine/run/session'
import { newSession, type TurnInput, turn } from '../../engine/run/turn'
import type { Json } from '../../engine/values/json'
import { randomFlow, randomReply, testRegistry } from './randomFlows'

const SEED = 20261121
const TURNS = 12
const start: TurnInput = { type: 'start', event: { type: 'start' } }
const rolls = fc.array(fc.nat(1_000), { minLength: TURNS, maxLength: TURNS })
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

class Crash extends Error {}

/** A host that keeps results by key, as the server's does, and may crash before, or right after, it has carried one out. */
class Host {
  readonly results = new Map<string, Json>()
  readonly carriedOut: string[] = []
  crashIn = Number.POSITIVE_INFINITY
  answer = (effect: HostEffect): Json => {
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
function talk(program: Program, replies: number[], crashes: boolean): { results: TurnResult[]; host: Host } {
  const host = new Host()
  const results: TurnResult[] = []
  let session: Session = newSession(program)
  let input: TurnInput = start
  for (const roll of replies) {
    const result = crashes
      ? finishInSpiteOfCrashes(program, session, input, host)
      : driveTurn(turn(program, session, input), host.answer)
    results.push(result)
    session = crashes ? throughJson(result.session) : result.session
    if (session.status !== 'waiting' || !session.request) break
    input = { type: 'reply', reply: randomReply(session.request, roll) }
  }
  return { results, host }
}

function finishInSpiteOfCrashes(program: Program, session: Session, input: TurnInput, host: Host): TurnResult {
  for (let attempt = 0; attempt < 5_000; attempt++) {
    // odd: right after the next effect that is new; even: before the one that follows it
    host.crashIn = 2 - (attempt % 2) + 1
    try {
      const result = driveTurn(turn(program, throughJson(session), throughJson(input)), host.answer)
      return throughJson(result)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }
  throw new Error('The turn did not end.')
}

describe('whatever the flow and the visitor', () => {
  test('a turn ends: waiting with a request, or ended', () => {
    const property = fc.property(randomFlow, rolls, (flow, replies) => {
      const { results } = talk(createProgram(flow, testRegistry), replies, false)
      for (const { session, stopped, trace } of results) {
        expect(session.status === 'waiting').toBe(session.request !== null)
        expect(session.status === 'waiting').toBe(session.at !== null)
        if (stopped) expect(session.status).toBe('ended')
        expect(trace.length).toBeLessThanOrEqual(1_000)
      }
    })
    fc.assert(property, { seed: SEED, numRuns: 1_500 })
  })

  test('a session is plain JSON and is not changed by its turn', () => {
    const property = fc.property(randomFlow, rolls, (flow, replies) => {
      const program = createProgram(flow, testRegistry)
      const { results } = talk(program, replies, false)
      for (const { session } of results) {
        const copy = throughJson(session)
        expect(copy).toEqual(session)
        if (session.request)
          driveTurn(
            turn(program, session, { type: 'reply', reply: randomReply(session.request, 3) }),
            new Host().answer,
          )
        expect(session).toEqual(copy)
      }
    })
    fc.assert(property, { seed: SEED + 1, numRuns: 300 })
  })

  test('crashing at every effect and every turn changes nothing: same messages, same state, no effect twice', () => {
    const property = fc.property(randomFlow, rolls, (flow, replies) => {
      const program = createProgram(flow, testRegistry)
      const calm = talk(program, replies, false)
      const stormy = talk(program, replies, true)
      expect(stormy.results).toEqual(throughJson(calm.results))
      expect(stormy.host.carriedOut).toEqual(calm.host.carriedOut)
      expect(new Set(stormy.host.carriedOut).size).toBe(stormy.host.carriedOut.length)
    })
    fc.assert(property, { seed: SEED + 2, numRuns: 600 })
  })
})
