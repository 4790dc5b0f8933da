import { expect, test } from 'vitest'
import { z } from 'zod'
import { plainEffect } from '../../tests/support/effects'
import {
  begin,
  classify,
  courses,
  edge,
  flow,
  path,
  reply,
  said,
  scriptedRegistry,
  still,
  text,
  wait,
} from '../../tests/support/scripted'
import { defineBlock } from '../flow/defineBlock'
import type { Cause } from '../flow/effects'
import { createRegistry } from '../flow/registry'
import { emptyFlow } from '../flow/schema'
import { ask, call, cause, enterFlow, setVariable } from '../flow/steps'
import { driveTurn } from './drive'
import { inspectStep } from './inspectStep'
import { createProgram, type Program } from './program'
import type { RecordedAnswer } from './recordingFormat'
import type { RuntimeEffect } from './runBlock'
import type { Place, Session, TurnResult } from './session'
import { newSession, type TurnInput, turn } from './turn'

const start: TurnInput = { type: 'start', event: { type: 'start' } }
const onwards: TurnInput = { type: 'continue' }
const at =
  (...blockIds: string[]) =>
  (place: Place) =>
    blockIds.includes(place.blockId)
const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
const take = (
  program: Program,
  session: Session,
  input: TurnInput,
  pausesAt: (place: Place) => boolean = () => false,
  answer: (effect: RuntimeEffect) => ReturnType<typeof still> = still,
): TurnResult => driveTurn(turn(program, throughJson(session), input, { pausesAt }), answer)

test('a turn ends before the block that it pauses at, and goes on there with nothing said or called twice', () => {
  const keys: string[] = []
  const answer = (effect: RuntimeEffect) => {
    if (effect.type === 'call') keys.push(effect.key)
    return still(effect)
  }
  courses.calls = function* () {
    yield* text('calling')
    yield* call(plainEffect('http'), null)
    return 'next'
  }
  courses.asks = function* () {
    yield* text('well?')
    yield* wait()
    return 'next'
  }
  const program = createProgram(flow({ g: ['start', 'a:calls', 'b:calls', 'c:asks', 'd'] }), scriptedRegistry)
  const first = take(program, newSession(program), start, at('b', 'd'), answer)
  expect(first.session).toMatchObject({ status: 'paused', at: { groupId: 'g', blockId: 'b' }, request: null })
  expect([path(first), said(first)]).toEqual([['start', 'a'], ['calling']])
  const second = take(program, first.session, onwards, at('b', 'd'), answer)
  expect([path(second), said(second)]).toEqual([
    ['b', 'c'],
    ['calling', 'well?'],
  ])
  expect(second.session.status).toBe('waiting')
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(2)

  const third = take(
    program,
    second.session,
    { type: 'reply', reply: { type: 'text', text: 'x' } },
    at('b', 'd'),
    answer,
  )
  expect([path(third), third.session.status]).toEqual([['c'], 'paused'])
  expect(path(take(program, third.session, onwards, at('d')))).toEqual(['d'])
  expect(() => take(program, third.session, { type: 'reply', reply: { type: 'text', text: 'x' } })).toThrow("'paused'")
  expect(() => take(program, second.session, onwards)).toThrow("'waiting'")
})

test('step by step it says, sets and asks what it does in one go, through a flow within and an intent that cuts in', () => {
  courses.names = function* () {
    yield* setVariable('name', 'Ada')
    return 'next'
  }
  courses.visits = function* () {
    const left = yield* enterFlow('inner', { given: 'G' })
    yield* text(`back with ${JSON.stringify(left)}`)
    return 'next'
  }
  courses.asks = function* () {
    const request = { input: 'text', long: false, placeholder: '', required: true, maxLength: 100 } as const
    yield* ask(request, { intents: [], interruptible: true })
    return 'next'
  }
  courses['on-help-always'] = function* () {
    const began = (yield* cause()) as Cause
    yield* text(`heard ${began?.type}`)
    return 'next'
  }
  const inner = { ...flow({ i: ['start', 'inside:names'] }), variables: [{ id: 'given', name: 'given', value: null }] }
  const main = flow({ g: ['start', 'a:names', 'b:visits', 'c:asks', 'd'], h: ['help:on-help-always', 'e'] }, [
    edge('help', 'next', 'h', 'e'),
  ])
  const program = createProgram(main, scriptedRegistry, { flows: { inner }, classify })
  const words = 'talk of help'
  const whole = begin(program)
  const wholeReply = reply(program, whole.session, words)

  const stepped = (session: Session, input: TurnInput) => {
    const results = [take(program, session, input, () => true)]
    for (let last = results[0]; last?.session.status === 'paused'; last = results.at(-1)) {
      results.push(take(program, last.session, onwards, () => true))
    }
    return results
  }
  const steps = stepped(newSession(program), start)
  expect(steps.flatMap(path)).toEqual(path(whole))
  expect(steps.flatMap(said)).toEqual(said(whole))
  expect(steps[0]?.trace).toEqual([])
  expect(steps.at(-1)?.variables).toEqual(whole.variables)
  const heard = stepped(steps.at(-1)?.session as Session, { type: 'reply', reply: { type: 'text', text: words } })
  expect(heard.flatMap(path)).toEqual(path(wholeReply))
  expect(heard.flatMap(said)).toEqual(said(wholeReply))
  expect(said(wholeReply)).toContain('heard intent')
})

test('a conversation begins at any block of any flow, with the values that it is given', () => {
  const inner = {
    ...flow({ i: ['start', 'x:asks', 'y'] }),
    variables: [{ id: 'kept', name: 'kept', value: 'from the flow' }],
  }
  const program = createProgram(flow({ g: ['start', 'a'] }), scriptedRegistry, { flows: { inner } })
  const from = { flowId: 'inner', groupId: 'i', blockId: 'x' }
  const result = take(program, newSession(program, { given: 'V' }, from), start)
  expect(path(result)).toEqual(['x'])
  expect(result.session).toMatchObject({ flowId: 'inner', variables: { kept: 'from the flow', given: 'V' } })
  const gone = take(program, newSession(program, {}, { ...from, blockId: 'gone' }), start)
  expect(gone.session.status).toBe('ended')
  expect(gone.trace[0]?.note).toContain('gone')
})

test('what a step was given is found by running its turn again', () => {
  courses.calls = function* () {
    yield* call(plainEffect('http'), null)
    yield* setVariable('got', 'it')
    return 'next'
  }
  const program = createProgram(flow({ g: ['start', 'a:calls', 'b', 'c:calls', 'd:calls'] }), scriptedRegistry)
  const answers: RecordedAnswer[] = []
  const result = driveTurn(turn(program, newSession(program), start), () => {
    answers.push({ type: 'call', service: 'http', request: null, result: answers.length })
    return answers.length
  })
  expect(path(result)).toEqual(['start', 'a', 'b', 'c', 'd'])
  const look = (step: number) => inspectStep(program, newSession(program), start, answers, step)
  expect(look(1)).toEqual({ variables: {}, from: 0, to: 1 })
  expect(look(2)).toEqual({ variables: { got: 'it' }, from: 1, to: 1 })
  expect(look(3)).toEqual({ variables: { got: 'it' }, from: 1, to: 2 })
  expect(look(4)).toEqual({ variables: { got: 'it' }, from: 2, to: 3 })
  expect(look(5)).toBeNull()
})

test('begun at a block, its kind is told what began it if conversations start with that kind', () => {
  const heard: Record<string, Cause | null> = {}
  const listening = (kind: string, starts: boolean) =>
    defineBlock({
      kind,
      category: 'other',
      title: '',
      help: '',
      schema: z.strictObject({}),
      defaults: () => ({}),
      ports: () => [{ id: 'next' }],
      ...(starts && { startsOn: () => true }),
      *run() {
        heard[kind] = yield* cause()
        return 'next'
      },
    })
  const registry = createRegistry([listening('trigger', true), listening('step', false)])
  const blocks = ['trigger', 'step'].map((kind) => ({ id: kind, kind, version: 0, data: {} }))
  const groups = blocks.map((block) => ({ id: block.id, title: '', position: { x: 0, y: 0 }, blocks: [block] }))
  const program = createProgram({ ...emptyFlow(), groups }, registry)
  for (const blockId of ['trigger', 'step'])
    take(program, { ...newSession(program), at: { groupId: blockId, blockId } }, start)
  expect(heard).toEqual({ trigger: { type: 'start' }, step: null })
})
