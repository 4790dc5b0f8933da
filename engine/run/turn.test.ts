import { describe, expect, test } from 'vitest'
import { plainEffect } from '../../tests/support/effects'
import {
  begin,
  courses,
  edge,
  flow,
  leave,
  notes,
  path,
  reply,
  said,
  scriptedRegistry,
  still,
  text,
  wait,
} from '../../tests/support/scripted'
import type { Step } from '../flow/effects'
import type { Edge } from '../flow/schema'
import { call, endConversation, enterFlow, goBack, goTo, now, random, read, setVariable } from '../flow/steps'
import { driveTurn } from './drive'
import { createProgram } from './program'
import type { RuntimeEffect } from './runBlock'
import { newSession, turn } from './turn'

describe('the way through a flow', () => {
  test('goes by the edge of the port, else by that of its fallback, else to the block below, and ends after the last', () => {
    courses.other = () => leave('other')
    const groups = { g: ['start', 'a:other', 'b'], h: ['c'], i: ['d'] }
    const way = (...edges: Edge[]) => path(begin(createProgram(flow(groups, edges), scriptedRegistry)))
    expect(way(edge('a', 'other', 'h'), edge('a', 'next', 'i'))).toEqual(['start', 'a', 'c'])
    expect(way(edge('a', 'next', 'i'))).toEqual(['start', 'a', 'd'])
    expect(way()).toEqual(['start', 'a', 'b'])
    expect(way(edge('start', 'next', 'g', 'b'))).toEqual(['start', 'b'])
    expect(begin(createProgram(flow(groups), scriptedRegistry)).session).toMatchObject({
      status: 'ended',
      at: null,
      request: null,
    })
  })

  test('an edge to an empty group ends, an edge to nothing goes on below with a note', () => {
    const groups = { g: ['start', 'b'], empty: [] }
    expect(path(begin(createProgram(flow(groups, [edge('start', 'next', 'empty')]), scriptedRegistry)))).toEqual([
      'start',
    ])
    for (const to of [edge('start', 'next', 'gone'), edge('start', 'next', 'g', 'gone')]) {
      const result = begin(createProgram(flow(groups, [to]), scriptedRegistry))
      expect(path(result)).toEqual(['start', 'b'])
      expect(notes(result)).toEqual(['The edge leads to a block or group that is gone.'])
    }
  })

  test('a turn records what it set, not what the block had set before it waited', () => {
    courses.sets = function* () {
      yield* setVariable('first', 1)
      yield* wait()
      yield* setVariable('second', 2)
      return 'next'
    }
    const variables = ['first', 'second'].map((id) => ({ id, name: id, value: null }))
    const program = createProgram({ ...flow({ g: ['start', 'a:sets'] }), variables }, scriptedRegistry)
    const first = begin(program)
    const second = reply(program, first.session, 'go on')
    expect([first, second].map(({ trace }) => trace.at(-1)?.writes)).toEqual([{ first: 1 }, { second: 2 }])
    expect(second.variables).toMatchObject({ first: 1, second: 2 })
  })

  test('a flow without a trigger ends with a note', () => {
    const result = begin(createProgram(flow({ g: ['a'] }), scriptedRegistry))
    expect(result).toMatchObject({ session: { status: 'ended' }, messages: [] })
    expect(notes(result)[0]).toContain('no trigger')
  })

  test('what can not run is passed over with a note that says why', () => {
    courses.throws = () => {
      throw new Error('Broken.')
    }
    courses.undeclared = () => leave('nowhere')
    const broken = flow({ g: ['start', 'a:throws', 'b:undeclared', 'c', 'd', 'e'] })
    const [, , , c, d] = broken.groups[0]?.blocks ?? []
    Object.assign(c ?? {}, { kind: 'from-the-future' })
    Object.assign(d ?? {}, { data: { run: 1 } })
    const result = begin(createProgram(broken, scriptedRegistry))
    expect(path(result)).toEqual(['start', 'a', 'b', 'c', 'd', 'e'])
    expect(notes(result)).toEqual([
      'The block failed: Broken.',
      "It left by 'nowhere', which is not one of its ports.",
      "The kind 'from-the-future' is not known; the block was skipped.",
      expect.stringMatching(/^Its data is not valid \(Run: .*\); the block was skipped\.$/),
    ])
  })

  test('go to jumps, also into the middle; end ends though blocks follow', () => {
    courses.jump = function* () {
      yield* goTo({ groupId: 'h', blockId: 'c' })
      return 'next'
    }
    courses.stop = () => endConversation()
    const result = begin(
      createProgram(flow({ g: ['start', 'a:jump'], h: ['b', 'c', 'd:stop', 'e'] }), scriptedRegistry),
    )
    expect(path(result)).toEqual(['start', 'a', 'c', 'd'])
    expect(result.session.status).toBe('ended')
  })
})

describe('waiting and going on', () => {
  courses.dialogue = function* () {
    yield* text('one')
    yield* setVariable('count', 1)
    const first = yield* wait()
    yield* text(`two after ${first.type === 'text' ? first.text : ''}`)
    yield* setVariable('count', 2)
    yield* setVariable('seen', (yield* read()).count ?? null)
    const second = yield* wait()
    yield* text(`three after ${second.type === 'text' ? second.text : ''}`)
    return 'next'
  }
  const program = createProgram(flow({ g: ['start', 'a:dialogue'] }), scriptedRegistry)

  test('each turn says only what is new; the session keeps the values of the block’s entry, the result those of now', () => {
    const first = begin(program)
    expect(said(first)).toEqual(['one'])
    expect(first.session).toMatchObject({
      status: 'waiting',
      at: { groupId: 'g', blockId: 'a' },
      variables: {},
      journal: [],
      said: 1,
    })
    expect(first.variables).toEqual({ count: 1 })
    const second = reply(program, first.session, 'x')
    expect(said(second)).toEqual(['two after x'])
    expect(second.variables).toEqual({ count: 2, seen: 2 })
    expect(second.session.journal).toEqual([{ type: 'ask', result: { type: 'text', text: 'x' } }])
    expect(second.trace.at(-1)?.writes).toEqual({ count: 2, seen: 2 })
    const third = reply(program, second.session, 'y')
    expect(said(third)).toEqual(['three after y'])
    expect(third.session).toMatchObject({ status: 'ended', journal: [], variables: { count: 2, seen: 2 } })
  })

  test('a reply that nobody waits for is refused, and so is a second start', () => {
    const ended = reply(program, reply(program, begin(program).session, 'x').session, 'y').session
    expect(() => reply(program, ended, 'z')).toThrow('does not wait for an answer')
    expect(() => reply(program, newSession(program), 'z')).toThrow("Its status is 'new'")
    expect(() => driveTurn(turn(program, ended, { type: 'start', event: { type: 'start' } }), still)).toThrow("'ended'")
  })

  test('a reply reaches the block without what no database takes', () => {
    expect(said(reply(program, begin(program).session, 'a\0b\ud800'))).toEqual(['two after ab\ufffd'])
  })

  test('when the block that waits is gone, the conversation ends with a note', () => {
    const result = reply(createProgram(flow({ g: ['start'] }), scriptedRegistry), begin(program).session, 'x')
    expect(result).toMatchObject({ session: { status: 'ended' }, messages: [] })
    expect(notes(result)).toEqual(['The block that waited is gone; the conversation has ended.'])
  })

  test.each<[string, () => Step<string>]>([
    [
      'asks for something else first',
      function* () {
        yield* text('new')
        yield* now()
        yield* wait()
        return 'next'
      },
    ],
    [
      'asks once where it asked twice',
      function* () {
        yield* text('new')
        yield* wait()
        return 'next'
      },
    ],
  ])('a block that %s than its journal says starts again, with what it had at its entry', (_name, changed) => {
    courses.versioned = courses.dialogue as () => Step<string>
    const versioned = createProgram(flow({ g: ['start', 'a:versioned'] }), scriptedRegistry)
    const waiting = reply(versioned, begin(versioned).session, 'x').session
    courses.versioned = changed
    const result = reply(versioned, waiting, 'y')
    expect(said(result)).toEqual(['new'])
    expect(notes(result)).toEqual(['The block has changed since it asked; it was started again.'])
    expect(result.session).toMatchObject({ status: 'waiting', said: 1, variables: {} })
    expect(result.variables).toEqual({})
  })

  test.each<[string, () => Step<string>]>([
    ['leaves', () => leave('next')],
    [
      'jumps',
      function* () {
        yield* goTo({ groupId: 'h' })
        return 'next'
      },
    ],
    [
      'ends all',
      function* () {
        yield* endConversation()
        return 'next'
      },
    ],
  ])('a block that %s where it asked is started again, and notes that', (_name, changed) => {
    courses.versioned = courses.dialogue as () => Step<string>
    const versioned = createProgram(flow({ g: ['start', 'a:versioned'], h: ['there'] }), scriptedRegistry)
    const waiting = begin(versioned).session
    courses.versioned = changed
    const result = reply(versioned, waiting, 'y')
    expect(notes(result)).toEqual(['The block has changed since it asked; it was started again.'])
    expect(result.session.status).toBe('ended')
  })

  test('a block that goes back where it asked is started again first, and then goes back', () => {
    courses.versioned = courses.dialogue as () => Step<string>
    courses.entering = function* () {
      yield* enterFlow('other', {})
      return 'next'
    }
    const other = flow({ h: ['begin:start', 'a:versioned'] })
    const versioned = createProgram(flow({ g: ['start', 'v:entering', 'after'] }), scriptedRegistry, {
      flows: { other },
    })
    const waiting = begin(versioned).session
    expect(waiting.at?.blockId).toBe('a')
    courses.versioned = function* () {
      yield* text('gone')
      yield* goBack()
      return 'next'
    }
    const result = reply(versioned, waiting, 'y')
    expect(notes(result)).toEqual(['The block has changed since it asked; it was started again.'])
    expect([said(result), path(result)]).toEqual([['gone'], ['a', 'v', 'after']])
  })

  test('a block that now calls before it asks starts again too, and writes once', () => {
    courses.versioned = courses.dialogue as () => Step<string>
    const versioned = createProgram(flow({ g: ['start', 'a:versioned'] }), scriptedRegistry)
    const waiting = begin(versioned).session
    courses.versioned = function* () {
      yield* setVariable('n', Number((yield* read()).n ?? 0) + 1)
      yield* setVariable('answer', yield* call(plainEffect('new'), null))
      yield* wait()
      return 'next'
    }
    const keys: string[] = []
    const result = reply(versioned, waiting, 'y', (effect) => {
      keys.push(effect.key)
      return still(effect)
    })
    expect(result.variables).toEqual({ n: 1, answer: 'answer' })
    expect(keys).toEqual(['3.0'])
    expect(notes(result)).toEqual(['The block has changed since it asked; it was started again.'])
  })
})

describe('effects outside', () => {
  courses.world = function* () {
    yield* call(plainEffect('first'), null)
    yield* wait()
    yield* setVariable('drawn', yield* random())
    yield* call(plainEffect('second'), { at: yield* now() })
    return 'next'
  }
  const program = createProgram(flow({ g: ['start', 'a:world', 'b:world'] }), scriptedRegistry)
  const record = (keys: string[]) => (effect: RuntimeEffect) => {
    keys.push(`${effect.type} ${effect.key}`)
    return still(effect)
  }

  test('each has a key of its own in the session, and a replay repeats none', () => {
    const keys: string[] = []
    const first = begin(program, record(keys))
    const second = reply(program, first.session, 'x', record(keys))
    reply(program, second.session, 'y', record(keys))
    expect(keys).toEqual([
      'call 2.0',
      'random 2.2',
      'now 2.3',
      'call 2.4',
      'call 3.0',
      'random 3.2',
      'now 3.3',
      'call 3.4',
    ])
  })

  test('what the runtime throws ends the turn and changes nothing', () => {
    const { session } = begin(program)
    const copy = structuredClone(session)
    const down = () => {
      throw new Error('The runtime is down.')
    }
    expect(() => reply(program, session, 'x', down)).toThrow('The runtime is down.')
    expect(session).toEqual(copy)
  })
})

test('what its channel can do stays with a session, turn by turn', () => {
  const program = createProgram(flow({ g: ['start', 'a:asking'] }), scriptedRegistry)
  courses.asking = function* () {
    yield* wait()
    yield* wait()
    return 'next'
  }
  const channel = { features: [], reaches: false }
  const first = driveTurn(
    turn(program, newSession(program, {}, null, channel), { type: 'start', event: { type: 'start' } }),
    still,
  )
  expect(first.session.channel).toEqual(channel)
  expect(reply(program, first.session, 'x').session).toMatchObject({ status: 'waiting', channel })
  expect(begin(program).session).not.toHaveProperty('channel')
})
