import { describe, expect, test } from 'vitest'
import { plainEffect } from '../../tests/support/effects'
import {
  begin,
  classify,
  courses,
  edge,
  flow,
  notes,
  path,
  reply,
  said,
  scriptedRegistry,
  text,
  wait,
} from '../../tests/support/scripted'
import type { Flow } from '../flow/schema'
import { ask, call, endConversation, enterFlow, now, read, setVariable, visit } from '../flow/steps'
import type { Json } from '../values/json'
import { createProgram } from './program'
import type { RuntimeEffect } from './runBlock'
import { variableCaps } from './variables'

const withVariables = (source: Flow, values: Record<string, Json>): Flow => ({
  ...source,
  variables: Object.entries(values).map(([id, value]) => ({ id, name: id, value })),
})
const programOf = (groups: Record<string, string[]>, flows: Record<string, Flow>, values: Record<string, Json> = {}) =>
  createProgram(withVariables(flow(groups), values), scriptedRegistry, { flows })

/** Enters `other` with a value, and says what it returned. */
courses.visit = function* () {
  yield* text('before')
  const result = yield* enterFlow('other', { topic: 'tea' })
  yield* setVariable('back', result)
  yield* text(`back with ${JSON.stringify(result)}`)
  return 'next'
}
courses.asks = function* () {
  yield* text(`about ${(yield* read()).topic}`)
  const answer = yield* wait()
  yield* setVariable('answer', answer.type === 'text' ? answer.text : answer.type)
  return 'next'
}

describe('a sub-flow', () => {
  const other = withVariables(flow({ h: ['start', 'q:asks', 'after'] }), { topic: null, answer: null, own: 'kept' })
  const program = programOf({ g: ['start', 'v:visit', 'z'] }, { other }, { topic: 'mine', answer: 'mine' })

  test('runs over several turns with variables of its own, and the block that entered it goes on with them', () => {
    const first = begin(program)
    expect(said(first)).toEqual(['before', 'about tea'])
    expect(first.session).toMatchObject({
      flowId: 'other',
      at: { blockId: 'q' },
      variables: { topic: 'tea', own: 'kept' },
      frames: [{ type: 'flow', flowId: null, blockId: 'v', said: 1, variables: { topic: 'mine', answer: 'mine' } }],
    })
    const second = reply(program, first.session, 'green')
    expect(said(second)).toEqual(['back with {"topic":"tea","answer":"green","own":"kept"}'])
    expect(second.trace.map(({ flowId, blockId }) => [flowId, blockId])).toEqual([
      ['other', 'q'],
      ['other', 'after'],
      [null, 'v'],
      [null, 'z'],
    ])
    expect(second.session).toMatchObject({ status: 'ended', flowId: null, frames: [] })
    expect(second.variables).toMatchObject({ topic: 'mine', answer: 'mine', back: { own: 'kept' } })
  })

  test('entered from another sub-flow is left by an intent of the main flow, which has its own values again', () => {
    courses.inner = function* () {
      yield* enterFlow('inner', {})
      return 'next'
    }
    courses.listens = function* () {
      const request = { input: 'text', long: true, placeholder: '', required: true, maxLength: 100 } as const
      yield* ask(request, { intents: [], interruptible: true })
      return 'next'
    }
    courses.tells = function* () {
      yield* text(String((yield* read()).topic))
      yield* setVariable('topic', 'changed')
      return 'next'
    }
    const flows = {
      other: withVariables(flow({ h: ['start', 'i:inner'] }), { topic: null }),
      inner: withVariables(flow({ k: ['start', 'q:listens'] }), { topic: 'deep' }),
    }
    const main = withVariables(flow({ g: ['start', 'v:visit'], cut: ['on-always', 'tells'] }), { topic: 'mine' })
    const program = createProgram(main, scriptedRegistry, { flows, classify })
    const first = begin(program)
    expect(first.session.frames.map(({ flowId }) => flowId)).toEqual([null, 'other'])
    const second = reply(program, first.session, 'of on-always')
    expect(said(second)).toEqual(['mine'])
    expect(second.session).toMatchObject({ status: 'waiting', flowId: null, frames: [] })
    expect(second.variables).toMatchObject({ topic: 'changed' })
  })

  test('shares the system variables, which no block sets', () => {
    courses.meddle = function* () {
      yield* setVariable('sys_user_id', 'me')
      yield* text(`${(yield* read()).sys_user_id} at ${(yield* read()).sys_current_url}`)
      yield* wait()
      return 'next'
    }
    courses.tell = function* () {
      const result = yield* enterFlow('other', {})
      yield* text(`${JSON.stringify(result)} at ${(yield* read()).sys_current_url}`)
      return 'next'
    }
    const sharing = programOf({ g: ['start', 'v:tell'] }, { other: flow({ h: ['start', 'm:meddle'] }) })
    const first = begin(sharing, undefined, { sys_user_id: 'u1', sys_current_url: '/a' })
    expect(said(first)).toEqual(['u1 at /a'])
    expect(notes(first).join()).toContain('No flow sets a system variable')
    // the runtime learns of another page while the sub-flow waits
    const moved = { ...first.session, variables: { ...first.session.variables, sys_current_url: '/b' } }
    expect(said(reply(sharing, moved, 'x'))).toEqual(['{} at /b'])
  })

  test('begins at the group that is named; when that is gone, at its start with a note', () => {
    const target = flow({ h: ['start', 'a'], i: ['c'] })
    const at = (groupId: string) => {
      courses.there = function* () {
        yield* enterFlow('other', {}, groupId)
        return 'next'
      }
      return begin(programOf({ g: ['start', 'v:there'] }, { other: target }))
    }
    expect(path(at('i'))).toEqual(['start', 'v', 'c', 'v'])
    expect(path(at('gone'))).toEqual(['start', 'v', 'start', 'a', 'v'])
    expect(notes(at('gone'))).toEqual(["Group 'gone' of that flow is gone; it begins at its start."])
  })

  test.each([
    ['that is gone', {}, "The flow 'other' is gone."],
    ['without a trigger', { other: flow({ h: ['a'] }) }, 'Nothing starts that flow: it has no trigger that fits.'],
  ])('%s is passed over with a note', (_name, flows, note) => {
    const result = begin(programOf({ g: ['start', 'v:visit', 'z'] }, flows))
    expect(notes(result).join()).toContain(note)
    expect(path(result).at(-1)).toBe('z')
  })

  test('a part to go to that is gone, in this flow, is passed over with a note that names it', () => {
    courses.away = function* () {
      yield* visit({ groupId: 'lost' })
      return 'next'
    }
    const result = begin(programOf({ g: ['start', 'v:away', 'z'] }, {}))
    expect(notes(result)).toEqual(["Its target (group 'lost') is gone."])
    expect(path(result)).toEqual(['start', 'v', 'z'])
  })

  test('an explicit end in it ends all', () => {
    courses.stop = () => endConversation()
    const result = begin(programOf({ g: ['start', 'v:visit', 'z'] }, { other: flow({ h: ['start', 's:stop'] }) }))
    expect(path(result)).toEqual(['start', 'v', 'start', 's'])
    expect(result.session).toMatchObject({ status: 'ended', frames: [] })
  })

  test('goes ten deep; the block that would go deeper gets nothing, with a note', () => {
    courses.deeper = function* () {
      const result = yield* enterFlow('other', {})
      yield* text(result === null ? 'too deep' : 'back')
      return 'next'
    }
    const result = begin(programOf({ g: ['start', 'v:deeper'] }, { other: flow({ h: ['start', 'd:deeper'] }) }))
    expect(said(result)).toEqual(['too deep', ...Array.from({ length: 10 }, () => 'back')])
    expect(notes(result)).toEqual(['Flows are entered at most 10 deep; this one was not.'])
    expect(result.stopped).toBeNull()
  })

  test('effects of every flow have keys of their own, the block that comes back included', () => {
    courses.calls = function* () {
      yield* enterFlow('other', {})
      yield* call(plainEffect('b'), null)
      yield* wait()
      yield* call(plainEffect('c'), null)
      return 'next'
    }
    courses.within = function* () {
      yield* call(plainEffect('d'), yield* now())
      yield* wait()
      yield* call(plainEffect('e'), null)
      return 'next'
    }
    const calling = programOf({ g: ['start', 'v:calls', 'w:within'] }, { other: flow({ h: ['start', 'i:within'] }) })
    const keys: string[] = []
    const record = (effect: RuntimeEffect): Json => {
      keys.push(effect.key)
      return 'answer'
    }
    let { session } = begin(calling, record)
    for (let n = 0; n < 3; n++) session = reply(calling, session, 'x', record).session
    expect(session.status).toBe('ended')
    expect(keys).toHaveLength(8)
    expect(new Set(keys).size).toBe(8)
  })

  test('a loop through it that changes nothing is a cycle, one that counts is none, though the sub-flow is the same', () => {
    courses.count = function* () {
      yield* enterFlow('other', {})
      const n = Number((yield* read()).n ?? 0) + 1
      yield* setVariable('n', n)
      return n < 20 ? 'next' : 'other'
    }
    courses.same = function* () {
      yield* enterFlow('other', {})
      return 'next'
    }
    const loop = (course: string) =>
      begin(
        createProgram(
          flow({ g: ['start', `a:${course}`], h: ['z'] }, [edge('a', 'next', 'g', 'a'), edge('a', 'other', 'h')]),
          scriptedRegistry,
          { flows: { other: flow({ h: ['start', 'x'] }) } },
        ),
      )
    expect(loop('count')).toMatchObject({ stopped: null, variables: { n: 20 } })
    expect(loop('same').stopped).toEqual({ reason: 'cycle', at: { flowId: null, groupId: 'g', blockId: 'a' } })
    const inside = begin(
      createProgram(flow({ g: ['start', 'a:same'] }), scriptedRegistry, {
        flows: { other: flow({ h: ['start', 'x'] }, [edge('x', 'next', 'h', 'x')]) },
      }),
    )
    expect(inside.stopped).toEqual({ reason: 'cycle', at: { flowId: 'other', groupId: 'h', blockId: 'x' } })
  })

  test('the values of all flows together take 1 MB', () => {
    const values = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`v${n}`, null]))
    courses.fillAgain = function* () {
      for (const id of Object.keys(values)) yield* setVariable(id, 'x'.repeat(60_000))
      yield* wait()
      return 'next'
    }
    const other = withVariables(flow({ h: ['start', 'f:fillAgain'] }), values)
    courses.first = function* () {
      for (const id of Object.keys(values)) yield* setVariable(id, 'x'.repeat(60_000))
      return 'next'
    }
    courses.visitIt = function* () {
      yield* enterFlow('other', {})
      return 'next'
    }
    const result = begin(programOf({ g: ['start', 'a:first', 'b:visitIt'] }, { other }, values))
    expect(notes(result).join()).toContain('The variables are full')
    expect(JSON.stringify(result.session).length).toBeLessThan(variableCaps.total + 5_000)
  })

  test('a frame whose block is gone is passed over with a note', () => {
    const { session } = begin(program)
    const changed = programOf({ g: ['start'] }, { other })
    const result = reply(changed, session, 'x')
    expect(result.session.status).toBe('ended')
    const note = 'The block to come back to is gone.'
    expect(notes(result)).toEqual([note])
    const [frame] = session.frames
    const place = { flowId: frame?.flowId, groupId: frame?.groupId, blockId: frame?.blockId }
    // the place alone: what the frame kept is no part of the trace
    const step = { ...place, kind: '', port: null, messages: 0, writes: {}, note }
    expect(result.trace.find((one) => one.note === note)).toStrictEqual(step)
  })
})
