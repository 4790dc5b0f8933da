import { describe, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import type { Reply } from '../../../engine/flow/effects'
import { ask, enterFlow, wait } from '../../../engine/flow/steps'
import { driveTurn } from '../../../engine/run/drive'
import { createProgram, type Program } from '../../../engine/run/program'
import type { Session } from '../../../engine/run/session'
import { newSession, turn } from '../../../engine/run/turn'
import { plainRichText } from '../../../engine/values/richText'
import { flowAround } from '../../../tests/support/conversations'
import { classify, courses, edge, flow, leave, scriptedRegistry, still, text } from '../../../tests/support/scripted'
import { pathOf } from './turnPath'

const open = { input: 'text' as const, long: false, placeholder: '', required: true, maxLength: 100 }

courses.start = () => leave('next')
courses.say = function* () {
  yield* text('Hello')
  return 'next'
}
courses.ask = function* () {
  const reply = yield* ask(open, { intents: [], interruptible: true })
  return reply.type === 'text' && reply.text === 'other' ? 'other' : 'next'
}
courses.timed = function* () {
  yield* ask({ ...open, timeout: 60 })
  return 'next'
}
courses.pause = function* () {
  yield* wait(5)
  return 'next'
}
courses.sub = function* () {
  yield* enterFlow('sub', {})
  return 'next'
}
courses.loops = () => leave('next')
courses['on-always-resumes'] = courses.say

/** Takes turns with these replies; returns the path of each. */
function walk(program: Program, ...replies: (string | Reply)[]) {
  let session: Session = newSession(program)
  return [null, ...replies].map((given) => {
    const reply: Reply | null = typeof given === 'string' ? { type: 'text', text: given } : given
    const input = reply
      ? { type: 'reply' as const, reply }
      : { type: 'start' as const, event: { type: 'start' as const } }
    const result = driveTurn(turn(program, session, input), still)
    const path = pathOf(program, session, reply, result)
    session = result.session
    return path
  })
}
const timeout: Reply = { type: 'timeout' }

describe('the path of a turn', () => {
  const two = createProgram(
    flow({ a: ['start', 'say', 'ask'], b: ['b2:ask'] }, [edge('ask', 'next', 'b'), edge('b2', 'next', 'a', 'ask')]),
    scriptedRegistry,
  )

  test('names each group and block that it comes to, and the edges that it takes', () => {
    expect(walk(two, 'hi', 'again')).toEqual([
      {
        entered: [['', 'a']],
        taken: [],
        reached: [
          ['', 'start'],
          ['', 'say'],
          ['', 'ask'],
        ],
        status: 'waiting',
        at: { flow: '', groupId: 'a', blockId: 'ask' },
        replied: false,
      },
      {
        entered: [['', 'b']],
        taken: [['', 'ask/next']],
        reached: [['', 'b2']],
        status: 'waiting',
        at: { flow: '', groupId: 'b', blockId: 'b2' },
        replied: true,
      },
      {
        entered: [['', 'a']],
        taken: [['', 'b2/next']],
        reached: [['', 'ask']],
        status: 'waiting',
        at: { flow: '', groupId: 'a', blockId: 'ask' },
        replied: true,
      },
    ])
  })

  test('counts the edge of the port that stands in for one without an edge', () => {
    expect(walk(two, 'other')[1]?.taken).toEqual([['', 'ask/next']])
  })

  test('a group that leads to itself is entered again', () => {
    const program = createProgram(flow({ a: ['start', 'ask'] }, [edge('ask', 'next', 'a', 'ask')]), scriptedRegistry)
    expect(walk(program, 'x')[1]?.entered).toEqual([['', 'a']])
  })

  test('a sub-flow is walked in its own name, and coming back is no new visit', () => {
    const program = createProgram(flow({ a: ['start', 'sub', 'say'] }), scriptedRegistry, {
      flows: { sub: flow({ s: ['start', 'ask'] }) },
    })
    const [first, second] = walk(program, 'x')
    expect(first).toMatchObject({
      entered: [
        ['', 'a'],
        ['sub', 's'],
      ],
      at: { flow: 'sub', groupId: 's', blockId: 'ask' },
    })
    expect(second).toMatchObject({ entered: [], reached: [['', 'say']], status: 'completed', at: null })
  })

  test('a part that is gone to and come back from is one visit, and no second one to the group that called', () => {
    const visit = { ...registry.get('go-to').defaults(() => 'v'), target: { groupId: 'part' }, comesBack: true }
    const calling = flowAround('go-to', visit)
    const say = { id: 'said', kind: 'text', version: 0, data: { content: plainRichText('Hello') } }
    calling.groups[0]?.blocks.push({ ...say, id: 'after' })
    calling.groups.push({ id: 'part', title: '', position: { x: 0, y: 0 }, blocks: [say] })
    expect(walk(createProgram(calling, registry))[0]?.entered).toEqual([
      ['', 'g'],
      ['', 'part'],
    ])
  })

  test('a question that is asked again after an intent is no new visit to its group', () => {
    const program = createProgram(flow({ a: ['start', 'ask'], h: ['on-always-resumes'] }), scriptedRegistry, {
      classify,
    })
    expect(walk(program, 'talk of on-always-resumes')[1]).toMatchObject({
      entered: [['', 'h']],
      status: 'waiting',
      at: { groupId: 'a' },
    })
  })

  test('an end because nobody answered is where the question stood, an end after an answer is the end', () => {
    const program = createProgram(
      flow({ a: ['start', 'timed'], b: ['say'] }, [edge('timed', 'next', 'b')]),
      scriptedRegistry,
    )
    const at = { flow: '', groupId: 'a', blockId: 'timed' }
    expect(walk(program, timeout)[1]).toMatchObject({ status: 'left', at, replied: false, entered: [['', 'b']] })
    expect(walk(program, 'x')[1]).toMatchObject({ status: 'completed', at: null, replied: true })
  })

  test('while the bot pauses, nobody is waited for', () => {
    const program = createProgram(flow({ a: ['start', 'pause', 'say'] }), scriptedRegistry)
    expect(walk(program, timeout)).toMatchObject([{ status: 'pausing' }, { status: 'completed' }])
  })

  test('a flow that a safety rail stops is left there', () => {
    const program = createProgram(
      flow({ a: ['start', 'loops'] }, [edge('loops', 'next', 'a', 'loops')]),
      scriptedRegistry,
    )
    expect(walk(program)).toMatchObject([{ status: 'left', at: { groupId: 'a', blockId: 'loops' } }])
  })
})
