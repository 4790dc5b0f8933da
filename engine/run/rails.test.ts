import { describe, expect, test } from 'vitest'
import {
  begin,
  courses,
  edge,
  flow,
  notes,
  path,
  reply,
  said,
  scriptedRegistry,
  still,
  text,
  wait,
} from '../../tests/support/scripted'
import { random, read, setVariable } from '../flow/steps'
import type { Json } from '../values/json'
import { createProgram } from './program'
import { MAX_STEPS } from './turnState'
import { variableCaps } from './variables'

describe('safety rails', () => {
  const loop = [edge('b', 'next', 'g', 'a')]

  test('a loop in which nothing can change is a cycle, found on its second round', () => {
    courses.talk = function* () {
      yield* text('again')
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:talk', 'b'] }, loop), scriptedRegistry))
    expect(result.stopped).toEqual({ reason: 'cycle', at: { flowId: null, groupId: 'g', blockId: 'a' } })
    expect(said(result)).toEqual(['again'])
    expect(result.session.status).toBe('ended')
  })

  test('a loop that counts meets the step limit', () => {
    courses.count = function* () {
      yield* setVariable('n', Number((yield* read()).n ?? 0) + 1)
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:count', 'b'] }, loop), scriptedRegistry))
    expect(result.stopped?.reason).toBe('step-limit')
    expect(result.trace).toHaveLength(MAX_STEPS)
  })

  test('a block does ten thousand things with its end, and no more', () => {
    const doing = (count: number) => {
      courses.busy = function* () {
        for (let n = 0; n < count; n++) yield* read()
        return 'next'
      }
      return begin(createProgram(flow({ g: ['start', 'a:busy', 'b'] }), scriptedRegistry))
    }
    expect(path(doing(9_999))).toEqual(['start', 'a', 'b'])
    expect(notes(doing(9_999))).toEqual([])
    expect(notes(doing(10_000))).not.toEqual([])
  })

  test('a loop that counts to its end, draws lots, or asks, is none', () => {
    courses.count = function* () {
      const n = Number((yield* read()).n ?? 0) + 1
      yield* setVariable('n', n)
      return n < 100 ? 'next' : 'other'
    }
    const counting = createProgram(
      flow({ g: ['start', 'a:count'], h: ['c'] }, [edge('a', 'next', 'g', 'a'), edge('a', 'other', 'h')]),
      scriptedRegistry,
    )
    expect(begin(counting)).toMatchObject({ stopped: null, variables: { n: 100 } })

    courses.draw = function* () {
      return (yield* random()) < 0.9 ? 'next' : 'other'
    }
    const draws = [0.1, 0.2, 0.95]
    const drawing = createProgram(
      flow({ g: ['start', 'a:draw'], h: ['c'] }, [edge('a', 'next', 'g', 'a'), edge('a', 'other', 'h')]),
      scriptedRegistry,
    )
    expect(path(begin(drawing, () => draws.shift() ?? 0))).toEqual(['start', 'a', 'a', 'a', 'c'])

    courses.asks = function* () {
      yield* wait()
      return 'next'
    }
    const asking = createProgram(flow({ g: ['start', 'a:asks', 'b'] }, loop), scriptedRegistry)
    let { session } = begin(asking)
    for (let n = 0; n < 5; n++) session = reply(asking, session, 'x').session
    expect(session.status).toBe('waiting')
  })

  test('a block that never stops is cut', () => {
    courses.endless = function* () {
      for (;;) yield* read()
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:endless', 'b'] }), scriptedRegistry))
    expect(result.stopped).toEqual({ reason: 'step-limit', at: { flowId: null, groupId: 'g', blockId: 'a' } })
    expect(notes(result)).toEqual(['The block never stopped; it was cut.'])
  })

  test('values are cut at 64 KB: a text and a list at their end, an object becomes unset', () => {
    const run = (value: Json) => {
      courses.large = function* () {
        yield* setVariable('v', value)
        return 'next'
      }
      const result = begin(createProgram(flow({ g: ['start', 'a:large'] }), scriptedRegistry))
      return { v: result.variables.v ?? null, note: notes(result)[0] }
    }
    const size = (value: Json) => JSON.stringify(value).length
    expect(run('x'.repeat(variableCaps.value - 2))).toMatchObject({ note: undefined })
    for (const value of [
      'x'.repeat(variableCaps.value),
      '\u0001'.repeat(variableCaps.value),
      Array.from({ length: 40_000 }, (_, n) => n),
    ]) {
      const cut = run(value)
      expect(cut.note).toBe('The value was too large (64 KB) and was cut.')
      expect(size(cut.v)).toBeLessThanOrEqual(variableCaps.value)
      expect(size(cut.v)).toBeGreaterThan(variableCaps.value - 20)
    }
    expect(run({ a: 'x'.repeat(variableCaps.value) }).v).toBe(null)
  })

  test('the variables together take 1 MB; what comes after keeps its old value', () => {
    courses.fill = function* () {
      for (let n = 0; n < 20; n++) yield* setVariable(`v${n}`, 'x'.repeat(60_000))
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:fill'] }), scriptedRegistry), still, { v19: 'old' })
    expect(JSON.stringify(result.variables).length).toBeLessThan(variableCaps.total + 1_000)
    expect(result.variables.v19).toBe('old')
    expect(notes(result)[0]).toContain('The variables are full')
  })

  test('a loop that says ever more is stopped at a million characters', () => {
    courses.grow = function* () {
      yield* setVariable('n', Number((yield* read()).n ?? 0) + 1)
      yield* text('x'.repeat(20_000))
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:grow', 'b'] }, loop), scriptedRegistry))
    expect(result.stopped?.reason).toBe('step-limit')
    expect(result.messages).toHaveLength(50)
  })

  test('the trace keeps the beginning of a large value', () => {
    courses.write = function* () {
      yield* setVariable('v', 'x'.repeat(5_000))
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:write'] }), scriptedRegistry))
    expect(result.trace.at(-1)?.writes).toEqual({ v: `${'x'.repeat(1_000)}…` })
    expect(result.variables.v).toHaveLength(5_000)
  })

  test('the trace keeps a value of a thousand characters whole', () => {
    courses.write = function* () {
      yield* setVariable('v', 'x'.repeat(1_000))
      yield* setVariable('w', 'x'.repeat(1_001))
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:write'] }), scriptedRegistry))
    expect(result.trace.at(-1)?.writes).toEqual({ v: 'x'.repeat(1_000), w: `${'x'.repeat(1_000)}…` })
  })
})
