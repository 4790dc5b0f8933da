import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { flowAround, stillRuntime, typed } from '../../tests/support/conversations'
import { plainEffect } from '../../tests/support/effects'
import { begin, courses, flow, notes, said, scriptedRegistry, text } from '../../tests/support/scripted'
import { Budget, charge, TURN_UNITS } from '../budget'
import { evaluateNow } from '../expression/steps'
import type { Flow } from '../flow/schema'
import { call, read, setVariable } from '../flow/steps'
import { compare } from '../values/compare'
import type { Json } from '../values/json'
import { driveTurn } from './drive'
import { createProgram } from './program'
import { newSession, turn } from './turn'

const still = (value: string) => ({ type: 'static' as const, value })
const chip = (variable_id: string) => ({
  type: 'dynamic' as const,
  parts: [{ type: 'variable' as const, variable_id }],
})

/** A flow of one group with these blocks. */
function flowOf(blocks: [kind: string, data: unknown][], variables: Record<string, Json> = {}): Flow {
  const around = flowAround('end', {}, variables)
  const [start] = around.groups[0]?.blocks ?? []
  const stored = blocks.map(([kind, data], at) => ({
    id: `b${at}`,
    kind,
    version: registry.find(kind)?.migrations.length ?? 0,
    data: data as Record<string, Json>,
  }))
  return {
    ...around,
    groups: around.groups.map((group) => ({ ...group, blocks: start ? [start, ...stored] : stored })),
  }
}

function runFlow(blocks: [kind: string, data: unknown][], variables: Record<string, Json> = {}) {
  const program = createProgram(flowOf(blocks, variables), registry)
  const budget = new Budget(TURN_UNITS)
  const result = driveTurn(
    turn(program, newSession(program), { type: 'start', event: { type: 'start' } }, {}, budget),
    stillRuntime,
  )
  return { result, budget }
}
const STOPPED = { reason: 'too-much-work', at: { flowId: null, groupId: 'g' } }
const toVariable = (id: string, source: string): [string, unknown] => [
  'set-variable',
  { variableId: id, mode: 'expression', value: still(source), takeTo: null },
]

describe('one budget a turn', () => {
  test('is shared by the blocks of the turn: twenty of fifty expressions each are stopped on the way', () => {
    const comparisons = (block: number) =>
      Array.from({ length: 50 }, (_, n) => ({
        id: `c${n}`,
        subject: 'expression',
        variableId: null,
        operator: 'equals',
        value: still(`length(split(repeat("ab", ${60_000 + block}), "a")) < 0`),
      }))
    const block = (n: number): [string, unknown] => [
      'condition',
      { branches: [{ id: 'x', match: 'any', comparisons: comparisons(n) }] },
    ]
    const { result, budget } = runFlow(Array.from({ length: 20 }, (_, n) => block(n)))
    expect(result.stopped).toMatchObject(STOPPED)
    expect(budget.isSpent).toBe(true)
    expect(result.trace.length).toBeLessThan(20)
    expect(result.trace.at(-1)?.note).toContain('Ask something in between')
    // a single one stays within a turn's budget
    expect(runFlow([block(0)]).result.stopped).toBe(null)
  })

  test('stops a small flow whose every match is large', () => {
    const matches = (n: number) => ({
      id: `c${n}`,
      variableId: 'v',
      operator: 'matches',
      value: still(`(a|b|ab)*${n}{30}`),
    })
    const branches = Array.from({ length: 12 }, (_, n) => ({ id: `x${n}`, match: 'all', comparisons: [matches(n)] }))
    const { result } = runFlow([toVariable('v', 'repeat("ab", 12000)'), ['condition', { branches }]], { v: null })
    expect(result.stopped).toMatchObject({ ...STOPPED, at: { ...STOPPED.at, blockId: 'b1' } })
    expect(result.session.status).toBe('ended')
  })

  test('stops mappings that search an answer again and again, and keeps what was mapped before', () => {
    const mapping = Array.from({ length: 50 }, (_, n) => ({
      id: `m${n}`,
      from: 'body',
      path: n === 0 ? '$[0]' : `$[?search(@, '${'(a|b)*'.repeat(20)}${n}')]`,
      variableId: `v${n}`,
    }))
    const data = {
      ...registry.get('http-request').defaults(() => 'x'),
      url: still('https://a.example/'),
      mapping,
    }
    const program = createProgram(flowOf([['http-request', data]], { v0: null }), registry)
    const body = Array.from({ length: 3_000 }, () => 'ab'.repeat(500))
    const answer = { ok: true, status: 200, headers: {}, body, key: 'k', ms: 1 }
    const result = driveTurn(
      turn(program, newSession(program), { type: 'start', event: { type: 'start' } }),
      () => answer,
    )
    expect(result.stopped).toMatchObject(STOPPED)
    expect(result.variables.v0).toBe('ab'.repeat(500))
  })

  test('stops texts that print a long list over and over', () => {
    const value = { type: 'dynamic', parts: Array.from({ length: 2_000 }, () => chip('v').parts[0]) }
    const block: [string, unknown] = ['set-variable', { variableId: 'w', mode: 'set', value, takeTo: null }]
    const { result } = runFlow([toVariable('v', 'range(1, 9000)'), block, block, block], { v: null, w: null })
    expect(result.stopped).toMatchObject({ ...STOPPED, at: { ...STOPPED.at, blockId: 'b1' } })
  })

  test('stops a loop that sets large values among five thousand others', () => {
    const program = createProgram(
      {
        ...flowOf([toVariable('v', 'repeat("x", 60000)'), toVariable('w', '[repeat("y", 50000)]')], {
          v: null,
          w: null,
        }),
        edges: [{ from: { blockId: 'b1', portId: 'next' }, to: { groupId: 'g', blockId: 'b0' } }],
        variables: Array.from({ length: 5_000 }, (_, n) => ({ id: `x${n}`, name: `x${n}`, value: n })),
      },
      registry,
    )
    const result = driveTurn(
      turn(program, newSession(program), { type: 'start', event: { type: 'start' } }),
      stillRuntime,
    )
    expect(result.stopped?.reason).toBe('too-much-work')
  })

  test('costs the same each time, whatever ran before it', () => {
    const blocks: [string, unknown][] = [
      toVariable('v', 'matches(repeat("ab", 100), "(a|b)+c")'),
      toVariable('v', 'hour("2026-01-01T10:00:00Z", "Europe/Berlin")'),
    ]
    const costs = Array.from({ length: 3 }, () => runFlow(blocks, { v: null }).budget.spent)
    expect(new Set(costs).size).toBe(1)
  })

  test('keeps what was said before it was spent, and tells the editor where', () => {
    courses.talks = function* () {
      yield* text('first')
      return 'next'
    }
    courses.works = function* () {
      yield* text('second')
      yield* setVariable('n', 1)
      charge(TURN_UNITS)
      return 'next'
    }
    const result = begin(createProgram(flow({ g: ['start', 'a:talks', 'b:works', 'c:talks'] }), scriptedRegistry))
    expect(result.stopped).toEqual({ reason: 'too-much-work', at: { flowId: null, groupId: 'g', blockId: 'b' } })
    expect(said(result)).toEqual(['first', 'second'])
    expect(result.trace.at(-1)).toMatchObject({ blockId: 'b', writes: { n: 1 }, port: null })
    expect(notes(result)[0]).toContain('more work than one turn may')
  })

  test('can’t be got round by a kind that catches what is thrown', () => {
    courses.catches = function* () {
      for (let n = 0; n < 3; n++) {
        try {
          charge(TURN_UNITS)
        } catch {
          yield* text(`caught ${n}`)
        }
      }
      return 'next'
    }
    expect(begin(createProgram(flow({ g: ['start', 'a:catches'] }), scriptedRegistry)).stopped?.reason).toBe(
      'too-much-work',
    )
  })

  test('is new for each turn, and counts on over the calls within one', () => {
    courses.calls = function* () {
      for (let n = 0; n < 3; n++) {
        charge(TURN_UNITS * 0.4)
        yield* call(plainEffect('x'), null)
      }
      return 'next'
    }
    expect(begin(createProgram(flow({ g: ['start', 'a:calls'] }), scriptedRegistry)).stopped?.reason).toBe(
      'too-much-work',
    )
    const asking = { ...registry.get('text-input').defaults(() => 'x'), saveTo: 'v' }
    const program = createProgram(
      flowOf(
        [
          ['text-input', asking],
          ['text-input', asking],
        ],
        { v: null },
      ),
      registry,
    )
    const start = driveTurn(
      turn(program, newSession(program), { type: 'start', event: { type: 'start' } }),
      stillRuntime,
    )
    const budget = new Budget(TURN_UNITS)
    const next = driveTurn(turn(program, start.session, { type: 'reply', reply: typed('x') }, {}, budget), stillRuntime)
    expect([next.stopped, budget.spent < 10_000]).toEqual([null, true])
  })

  test('lets ordinary flows be: a thousand blocks with texts are far below it', () => {
    courses.ordinary = function* () {
      const variables = yield* read()
      yield* setVariable('n', Number(variables.n ?? 0) + 1)
      if (compare(variables.n ?? null, 'equals', '7')) yield* text('seven')
      yield* evaluateNow(still('1 + 2 > 2 and contains("lamps for harbours", "lamp")'))
      return 'next'
    }
    const program = createProgram(
      flow({ g: ['start', 'a:ordinary'] }, [
        { from: { blockId: 'a', portId: 'next' }, to: { groupId: 'g', blockId: 'a' } },
      ]),
      scriptedRegistry,
    )
    const budget = new Budget(TURN_UNITS)
    const result = driveTurn(
      turn(program, newSession(program), { type: 'start', event: { type: 'start' } }, {}, budget),
      stillRuntime,
    )
    expect(result.stopped?.reason).toBe('step-limit')
    expect(budget.spent).toBeLessThan(TURN_UNITS / 8)
  })
})
