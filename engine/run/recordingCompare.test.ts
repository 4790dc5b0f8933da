import { expect, test } from 'vitest'
import type { BotMessage } from '../flow/conversation'
import type { Json } from '../values/json'
import { plainRichText } from '../values/richText'
import { compareTurn, type PlacedCall } from './recordingCompare'
import type { Expected, RecordedStep, RecordedTurn } from './recordingFormat'

const place = (blockId: string) => ({ flowId: null, groupId: 'g', blockId })
const words = (text: string): BotMessage => ({ kind: 'text', text: plainRichText(text) })
const step = (blockId: string, more: Partial<RecordedStep> = {}): RecordedStep => ({
  ...place(blockId),
  port: 'next',
  said: [],
  writes: {},
  ...more,
})
const call = (request: Json) => ({ type: 'call' as const, service: 'http', request, result: null })
const made = (request: Json, at = 1): PlacedCall => ({ step: at, service: 'http', request })

/** A turn of two blocks: the first speaks, the second calls and waits. */
function turn(more: Partial<Expected> = {}, requests: Json[] = ['a']): RecordedTurn {
  const steps = [step('say', { said: [words('Hello')], writes: { greeted: true } }), step('wait', { port: null })]
  const expected: Expected = { steps, request: null, ended: false, stopped: null, variables: {}, ...more }
  return { reply: null, answers: requests.map(call), expected }
}
const steps = (first: Partial<RecordedStep>) => [
  step('say', { said: [words('Hello')], writes: { greeted: true }, ...first }),
  step('wait', { port: null }),
]
const stopped = { reason: 'steps' as never, at: place('wait') }

test('a turn that went as it was recorded does not differ, whatever the order of its keys', () => {
  const variables = { list: [{ a: 1, b: null }], name: 'Ada' }
  const again = { name: 'Ada', list: [{ b: null, a: 1 }] }
  expect(compareTurn(turn({ variables }), turn({ variables: again }), [made('a')])).toBeNull()
  // a block that was moved to another group
  expect(compareTurn(turn(), turn({ steps: steps({ groupId: 'elsewhere' }) }), [made('a')])).toBeNull()
})

test.each<[string, Partial<Expected>, PlacedCall[], object]>([
  [
    'says something else',
    { steps: steps({ said: [words('Bye')] }) },
    [made('a')],
    { type: 'said', place: place('say') },
  ],
  ['says more', { steps: steps({ said: [words('Hello'), words('!')] }) }, [made('a')], { type: 'said' }],
  [
    'sets another value',
    { steps: steps({ writes: { greeted: 1 } }) },
    [made('a')],
    { type: 'set', place: place('say') },
  ],
  [
    'leaves by another port',
    { steps: steps({ port: 'b' }) },
    [made('a')],
    { type: 'left', expected: 'next', actual: 'b' },
  ],
  [
    'goes elsewhere',
    { steps: [steps({})[0] ?? step('say'), step('other')] },
    [made('a')],
    { type: 'path', place: place('say'), expected: place('wait'), actual: place('other') },
  ],
  [
    'is over too soon',
    { steps: steps({}).slice(0, 1) },
    [made('a')],
    { type: 'path', place: place('say'), actual: null },
  ],
  [
    'goes on',
    { steps: [...steps({}), step('more')] },
    [made('a')],
    { type: 'path', place: place('wait'), expected: null },
  ],
  ['begins elsewhere', { steps: [step('other')] }, [made('a')], { type: 'path', place: place('other') }],
  [
    'calls with something else',
    {},
    [made('b')],
    { type: 'called', place: place('wait'), expected: { service: 'http', request: 'a' }, actual: { request: 'b' } },
  ],
  ['calls another service', {}, [{ ...made('a'), service: 'mail' }], { type: 'called', actual: { service: 'mail' } }],
  ['calls no more', {}, [], { type: 'called', place: place('wait'), actual: null }],
  ['calls once more', {}, [made('a'), made('b', 0)], { type: 'called', place: place('say'), expected: null }],
  [
    'asks',
    { request: { input: 'text', placeholder: '', required: true, long: false, maxLength: 9 } },
    [made('a')],
    { type: 'asked', place: place('wait'), expected: null },
  ],
  ['ends', { ended: true }, [made('a')], { type: 'ended', expected: false, actual: true }],
  ['is stopped', { stopped }, [made('a')], { type: 'stopped', place: place('wait'), expected: null, actual: stopped }],
  ['keeps another value', { variables: { name: 'Bo' } }, [made('a')], { type: 'set', actual: { name: 'Bo' } }],
])('a turn that %s differs at its block', (_case, more, calls, difference) => {
  expect(compareTurn(turn(), turn(more), calls)).toMatchObject(difference)
})

test('of values only those are told that differ; one that is not set is as one that is absent', () => {
  const before = turn({ variables: { name: 'Ada', list: [1, 2], unset: null, same: 'x' } })
  const after = turn({ variables: { name: 'Ada', list: [1], same: 'x', more: { a: 1 } } })
  expect(compareTurn(before, after, [made('a')])).toMatchObject({
    type: 'set',
    expected: { list: [1, 2], more: null },
    actual: { list: [1], more: { a: 1 } },
  })
  const difference = compareTurn(before, after, [made('a')])
  expect(Object.keys(difference?.expected as object).sort()).toEqual(['list', 'more'])
  expect(compareTurn(turn({ variables: { unset: null } }), turn(), [made('a')])).toBeNull()
})

test('an earlier difference is told before a later one', () => {
  const both = turn({ steps: steps({ said: [words('Bye')], port: 'b' }), ended: true, variables: { name: 'Bo' } })
  expect(compareTurn(turn(), both, [made('b')])).toMatchObject({ type: 'said' })
  const later = turn({ ended: true, stopped, variables: { name: 'Bo' } })
  expect(compareTurn(turn(), later, [made('a')])).toMatchObject({ type: 'stopped' })
})
