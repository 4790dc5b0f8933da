import { describe, expect, test } from 'vitest'
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
  still,
  text,
} from '../../tests/support/scripted'
import { Budget, TURN_UNITS } from '../budget'
import type { InputRequest, Listen } from '../flow/effects'
import type { Flow } from '../flow/schema'
import { ask, cause, endConversation, enterFlow, wait as pause, read, setVariable } from '../flow/steps'
import type { Json } from '../values/json'
import { driveTurn } from './drive'
import { isAnswer } from './intents'
import { createProgram } from './program'
import type { RecordedAnswer } from './recordingFormat'
import { recordConversation } from './recordingReplay'
import type { RuntimeEffect } from './runBlock'
import type { Session } from './session'
import { turn } from './turn'

const field = { placeholder: '', required: true }
const open: InputRequest = { input: 'text', ...field, long: false, maxLength: 100 }
const asks = (name: string, listen: Listen = { intents: [], interruptible: true }, request: InputRequest = open) => {
  courses[name] = function* () {
    yield* text(`${name}?`)
    const answer = yield* ask(request, listen)
    yield* setVariable(name, answer.type === 'text' ? answer.text : answer.type)
    return 'next'
  }
}
asks('name')
asks('deaf', { intents: [], interruptible: false })
asks('picky', { intents: ['named', 'also'], interruptible: false })
asks('both', { intents: ['named'], interruptible: true })
for (const name of ['on-always', 'on-always-resumes', 'on-named', 'on-named-resumes']) {
  courses[name] = function* () {
    const why = yield* cause()
    yield* text(why?.type === 'intent' ? `${name} ${why.confidence}` : name)
    return 'next'
  }
}
const programOf = (groups: Record<string, string[]>, flows: Record<string, Flow> = {}) =>
  createProgram(flow(groups), scriptedRegistry, { flows, classify })

describe('what a typed text is taken for', () => {
  const date: InputRequest = { input: 'date', ...field, mode: 'date', range: false }
  const choice: InputRequest = {
    input: 'choice',
    multiple: false,
    typing: true,
    placeholder: '',
    options: [{ id: 'a', label: 'Tea' }],
  }
  const quick: InputRequest = { ...open, quickReplies: [{ id: 'q', label: 'Tea' }] }
  const rating: InputRequest = { input: 'rating', required: true, scale: 'text', options: [{ id: 'a', label: 'Good' }] }
  test.each<[string, InputRequest, string, string]>([
    ['a label of a choice', choice, ' tEA ', 'teapot'],
    ['a quick reply', quick, 'tea', 'teapot'],
    ['a label of a scale', rating, 'good', 'so so'],
    ['an address', { input: 'email', ...field }, 'a@b.co', 'a at b.co'],
    ['a number', { input: 'number', ...field, integer: true, min: 3 }, '3', '2'],
    ['a phone number', { input: 'phone', ...field }, '+49 170-1234567', 'my phone 1234'],
    ['a phone number of a run of digits', { input: 'phone', ...field }, '12 3456', '1 2 3'],
    ['a URL', { input: 'url', ...field }, 'https://a.example', 'a.example'],
    ['a date', date, '2026-11-21', 'tomorrow'],
    ['a range', { ...date, range: true }, '2026-11-21/2026-11-22', '2026-11-21'],
    ['a time', { ...date, mode: 'time' }, '09:30', '2026-11-21'],
  ])('%s is an answer beyond doubt, anything else may be an intent', (_name, request, answer, other) => {
    expect(isAnswer(request, answer)).toBe(true)
    expect(isAnswer(request, other)).toBe(false)
  })

  test('a text, a form, files, a wait take no text beyond doubt', () => {
    expect(isAnswer(open, 'x')).toBe(false)
    expect(isAnswer({ input: 'wait', timeout: 5 }, 'x')).toBe(false)
  })
})

describe('an intent', () => {
  const program = programOf({
    g: ['start', 'q:name', 'z'],
    i: ['always:on-always', 'after'],
    r: ['back:on-always-resumes', 'detail:deaf'],
    n: ['named:on-named'],
    o: ['also:on-named-resumes'],
  })

  test('a global one takes the place of the question, and its trigger knows how sure it is', () => {
    const result = reply(program, begin(program).session, 'talk of always 0.7')
    expect(said(result)).toEqual(['on-always 0.7'])
    expect(path(result)).toEqual(['always', 'after'])
    expect(result.variables).toEqual({})
  })

  test('one that resumes asks the question again once its branch is over', () => {
    const first = reply(program, begin(program).session, 'talk of back')
    expect(said(first)).toEqual(['on-always-resumes 0.9', 'deaf?'])
    expect(first.session.frames).toMatchObject([{ type: 'again', blockId: 'q', by: 'back' }])
    const second = reply(program, first.session, 'x')
    expect(said(second)).toEqual(['name?'])
    expect(second.session).toMatchObject({ at: { blockId: 'q' }, frames: [], variables: { deaf: 'x' } })
    expect(reply(program, second.session, 'Ada').variables).toMatchObject({ name: 'Ada' })
  })

  test('the best that may cut in is taken; what is no trigger, or not global, is passed over', () => {
    expect(path(reply(program, begin(program).session, 'of nobody of z of named of always of back'))).toContain(
      'always',
    )
    expect(path(reply(program, begin(program).session, 'of named'))).toEqual(['q', 'z'])
  })

  const at = (course: string, words: string) => {
    const asking = programOf({
      g: ['start', `q:${course}`],
      i: ['always:on-always'],
      n: ['named:on-named'],
      o: ['also:on-named-resumes'],
    })
    return path(reply(asking, begin(asking).session, words))[0]
  }
  test.each([
    ['deaf', 'of always', 'q'],
    ['picky', 'of always', 'q'],
    ['picky', 'of always of named', 'named'],
    ['both', 'of always of named', 'named'],
    ['both', 'of always', 'always'],
  ])('the question %s hears %s: %s', (course, words, first) => {
    expect(at(course, words)).toBe(first)
  })

  test('a strict question takes its own answers though they fit an intent', () => {
    asks('mail', { intents: [], interruptible: true }, { input: 'email', ...field })
    const strict = createProgram(flow({ g: ['start', 'q:mail'], i: ['always:on-always'] }), scriptedRegistry, {
      classify: () => [{ blockId: 'always', confidence: 1 }],
    })
    const { session } = begin(strict)
    expect(path(reply(strict, session, 'a@b.co'))).toEqual(['q'])
    expect(path(reply(strict, session, 'opening hours'))).toEqual(['always'])
  })

  test('a long text costs by how many intents it may mean', () => {
    const spentWith = (count: number) => {
      const intents = Array.from({ length: count }, (_, n) => [`i${n}`, [`t${n}:on-always`]])
      const many = programOf({ g: ['start', 'q:name'], ...Object.fromEntries(intents) })
      const { session } = begin(many)
      const budget = new Budget(TURN_UNITS)
      const said = { type: 'text' as const, text: 'word '.repeat(1_000) }
      driveTurn(turn(many, session, { type: 'reply', reply: said }, {}, budget), still)
      return budget.spent
    }
    expect(spentWith(41) - spentWith(1)).toBeGreaterThanOrEqual(40 * 4_999)
  })

  test('does not cut in on the question that it leads to, but on the one after it', () => {
    const long = programOf({ g: ['start', 'q:name'], i: ['back:on-always-resumes', 'r:name', 's:name'] })
    const inside = reply(long, begin(long).session, 'of back')
    expect(inside.session).toMatchObject({ at: { blockId: 'r' }, cutIn: 'back' })
    const answered = reply(long, inside.session, 'of back')
    expect(answered.session).toMatchObject({ at: { blockId: 's' }, variables: { name: 'of back' }, cutIn: null })
    const anew = reply(long, answered.session, 'of back')
    expect(anew.session).toMatchObject({ at: { blockId: 'r' } })
    // however often it starts again, only one question waits to be asked again
    expect(anew.session.frames).toHaveLength(1)
  })

  test('cuts in on a wait, which takes nothing else; the wait begins anew where it resumes', () => {
    courses.pause = function* () {
      yield* text('wait')
      yield* pause(60)
      return 'next'
    }
    const waiting = programOf({ g: ['start', 'w:pause', 'z'], i: ['back:on-always-resumes'] })
    const { session } = begin(waiting)
    expect(reply(waiting, session, 'hello').session).toEqual(session)
    const cut = reply(waiting, session, 'of back')
    expect(said(cut)).toEqual(['on-always-resumes 0.9', 'wait'])
    expect(cut.session).toMatchObject({ request: { input: 'wait' }, frames: [] })
    const over = driveTurn(turn(waiting, cut.session, { type: 'reply', reply: { type: 'timeout' } }), still)
    expect(path(over)).toEqual(['w', 'z'])
  })
})

describe('nothing left to do', () => {
  const program = programOf({ g: ['start', 'a'], i: ['always:on-always'] })

  test('a flow with global intents listens on, and says so when it is not understood', () => {
    const { session } = begin(program)
    expect(session).toMatchObject({ status: 'waiting', at: null, request: { input: 'text' } })
    const lost = reply(program, session, 'hello')
    expect(said(lost)).toEqual(['Sorry, I did not understand that. Please say it in other words.'])
    expect(lost.session).toEqual(session)
    const found = reply(program, lost.session, 'of always')
    expect(said(found)).toEqual(['on-always 0.9'])
    expect(found.session.status).toBe('waiting')
    // it was answered, so it may interrupt again at once
    expect(said(reply(program, found.session, 'of always'))).toEqual(['on-always 0.9'])
  })

  test('a flow of intents alone begins by listening, without a note', () => {
    const result = begin(programOf({ i: ['always:on-always'] }))
    expect(result).toMatchObject({ session: { status: 'waiting', at: null }, trace: [] })
  })

  test('an explicit end ends, and so does a flow whose intents are not global', () => {
    courses.stop = () => endConversation()
    expect(begin(programOf({ g: ['start', 's:stop'], i: ['always:on-always'] })).session.status).toBe('ended')
    expect(begin(programOf({ g: ['start'], i: ['named:on-named'] })).session.status).toBe('ended')
  })

  test('a skip and a timeout change nothing', () => {
    const { session } = begin(program)
    for (const type of ['skip', 'timeout'] as const) {
      const result = driveTurn(turn(program, session, { type: 'reply', reply: { type } }), still)
      expect(result).toMatchObject({ session, messages: [] })
    }
  })
})

describe('in a sub-flow', () => {
  courses.visit = function* () {
    const result = yield* enterFlow('other', {})
    yield* text(`back, ${JSON.stringify(result)}, ${(yield* read()).seen}`)
    return 'next'
  }
  courses['on-always-marks-resumes'] = function* () {
    yield* setVariable('seen', 'marked')
    return 'next'
  }
  const other = flow({ h: ['start', 'q:name'], i: ['own:on-always', 'ends'] })
  const main = { g: ['start', 'v:visit', 'z'], i: ['always:on-always'], r: ['marks:on-always-marks-resumes', 'd:deaf'] }
  const program = programOf(main, { other })

  test('its own intents end with it: the flow that entered it goes on', () => {
    const result = reply(program, begin(program).session, 'of own')
    expect(path(result)).toEqual(['own', 'ends', 'v', 'z'])
  })

  test('a global intent of the main flow leaves it', () => {
    const result = reply(program, begin(program).session, 'of always')
    expect(path(result)).toEqual(['always'])
    expect(result.session).toMatchObject({ flowId: null, frames: [] })
  })

  test('what leaves it finds the values of the main flow as they were', () => {
    courses.keep = function* () {
      yield* setVariable('kept', 'yes')
      return 'next'
    }
    const keeping = programOf({ ...main, g: ['start', 'k:keep', 'v:visit', 'z'] }, { other })
    const { session } = reply(keeping, begin(keeping).session, 'of always')
    expect(session).toMatchObject({ flowId: null, variables: { kept: 'yes' } })
  })

  test('one that resumes comes back into it, with its variables, and what it set stays with the main flow', () => {
    const first = reply(program, begin(program).session, 'of marks')
    expect(first.session).toMatchObject({ flowId: null, at: { blockId: 'd' }, variables: { seen: 'marked' } })
    const second = reply(program, first.session, 'x')
    expect(said(second)).toEqual(['name?'])
    expect(second.session).toMatchObject({ flowId: 'other', at: { blockId: 'q' }, variables: {} })
    const third = reply(program, second.session, 'Ada')
    expect(said(third)).toEqual(['back, {"name":"Ada"}, marked'])
  })
})

test('a timeout that a question does not have changes nothing', () => {
  const program = createProgram(flow({ g: ['start', 'q:name'] }, [edge('q', 'next', 'g', 'q')]), scriptedRegistry)
  const { session } = begin(program)
  const result = driveTurn(turn(program, session, { type: 'reply', reply: { type: 'timeout' } }), still)
  expect(result.session).toEqual(session)
  expect(notes(result)).toEqual([])
})

describe('where the runtime knows meanings too', () => {
  const asked: string[] = []
  const listening = createProgram(
    flow({ g: ['start', 'q:name', 'r:deaf'], i: ['always:on-always'] }),
    scriptedRegistry,
    {
      classify,
      asksMeaning: true,
    },
  )
  const answering = (session: Session, words: string, answer: Json) => {
    asked.length = 0
    const input = { type: 'reply' as const, reply: { type: 'text' as const, text: words } }
    return driveTurn(turn(listening, session, input), (effect) => {
      if (effect.type !== 'call' || effect.service !== 'intents') return still(effect)
      asked.push(`${effect.key} ${JSON.stringify(effect.request)}`)
      return answer
    })
  }
  const { session } = begin(listening)

  test('its answer has the last word', () => {
    const answer = { ok: true, recognised: [{ blockId: 'always', confidence: 0.8 }] }
    expect(said(answering(session, 'are you there', answer))[0]).toBe('on-always 0.8')
    expect(asked).toEqual(['2.0.meaning {"text":"are you there"}'])
    expect(path(answering(session, 'of always', { ok: true, recognised: [] }))[0]).toBe('q')
  })

  test.each([[{ ok: false, error: 'down' }], [null], [{ ok: true, recognised: 'all' }]])(
    'without an answer that can be used (%j) the words decide',
    (answer) => {
      expect(path(answering(session, 'of always', answer))[0]).toBe('always')
    },
  )

  test('it is asked for the words without the blanks around them, and for nothing if there are none', () => {
    answering(session, '  are you there\n', { ok: true, recognised: [] })
    expect(asked).toEqual(['2.0.meaning {"text":"are you there"}'])
    answering(session, ' \n', null)
    expect(asked).toEqual([])
  })

  test('a kept conversation is replayed with what it was told, and by the words where it was told nothing', () => {
    const told = { ok: true, recognised: [{ blockId: 'always', confidence: 0.8 }] }
    const words = 'are you there'
    const replayed = (answers: RecordedAnswer[]) =>
      recordConversation(listening, {
        name: 'kept',
        event: { type: 'start' },
        variables: {},
        turns: [
          { reply: null, answers: [] },
          { reply: { type: 'text', text: words }, answers },
        ],
      }).turns[1]?.expected.steps[0]?.blockId
    expect(replayed([{ type: 'call', service: 'intents', request: { text: words }, result: told }])).toBe('always')
    expect(replayed([])).toBe('q')
  })

  test('nobody is asked during a wait, nor by a flow of which nobody tells meanings', () => {
    courses.pause = function* () {
      yield* pause(60)
      return 'next'
    }
    const called: string[] = []
    const noting = (effect: RuntimeEffect): Json => {
      called.push(effect.type === 'call' ? effect.service : effect.type)
      return still(effect)
    }
    const groups = { g: ['start', 'q:name', 'w:pause'], i: ['always:on-always'] }
    const deaf = createProgram(flow(groups), scriptedRegistry, { classify })
    expect(path(reply(deaf, begin(deaf).session, 'of always', noting))[0]).toBe('always')
    const hearing = createProgram(flow(groups), scriptedRegistry, { classify, asksMeaning: true })
    const waiting = reply(hearing, begin(hearing).session, 'Ada').session
    expect(waiting.request?.input).toBe('wait')
    expect(path(reply(hearing, waiting, 'of always', noting))[0]).toBe('always')
    expect(called).not.toContain('intents')
    reply(hearing, begin(hearing).session, 'of always', noting)
    expect(called).toContain('intents')
  })

  test('a question that hears no intents asks nobody', () => {
    const { session: deaf } = answering(session, 'Ada', { ok: true, recognised: [] })
    expect(deaf.at?.blockId).toBe('r')
    answering(deaf, 'of always', null)
    expect(asked).toEqual([])
  })
})

test('of a long message no more is looked at, and paid for, than the classifier reads', () => {
  const program = programOf({ g: ['start', 'q:name'], i: ['always:on-always'] })
  const { session } = begin(program)
  const spent = (letters: number) => {
    const budget = new Budget(TURN_UNITS)
    const words = { type: 'text' as const, text: 'x'.repeat(letters) }
    driveTurn(turn(program, session, { type: 'reply', reply: words }, {}, budget), still)
    return budget.spent
  }
  const once = spent(16_000) - spent(15_900)
  // what else looks at a message pays for all of it
  expect(spent(16_100) - spent(16_000)).toBeLessThan(once / 2)
})
