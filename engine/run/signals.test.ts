import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow, type Group } from '../flow/schema'
import { createProgram } from './program'
import { findCalled, newSession } from './turn'

/** A group with a webhook of this id, further to the right the later it is made. */
const hook = (id: string, x = 0): Group => {
  const { migrations, defaults } = registry.get('webhook')
  const block = { id, kind: 'webhook', version: migrations.length, data: defaults(() => id) as Block['data'] }
  return { id: `g-${id}`, title: '', position: { x, y: 0 }, blocks: [block] }
}
const flowOf = (...groups: Group[]): Flow => ({ ...emptyFlow(), groups })
const begins: Group = {
  ...hook('plain'),
  blocks: [{ id: 'plain', kind: 'start', version: 0, data: {} }],
}
const other = flowOf(hook('inner'))
const program = createProgram(flowOf(begins, hook('first'), hook('second', 500)), registry, { flows: { other } })

test('of several triggers the one that is called begins, wherever it lies', () => {
  const entry = (trigger: string) => program.entry({ type: 'start', signal: { trigger, values: {} } })?.id
  expect(['first', 'second', 'gone'].map(entry)).toEqual(['first', 'second', undefined])
  // a trigger that nobody can call from outside
  expect(entry('plain')).toBeUndefined()
})

test.each([
  ['the main flow', null, { first: null, second: null, inner: undefined, plain: undefined, gone: undefined }],
  ['another flow', 'other', { first: null, inner: 'other', plain: undefined, gone: undefined }],
  ['a flow that is gone', 'lost', { first: null, inner: undefined }],
])(
  'in a conversation that is in %s, a call finds the triggers of that flow and of the main one',
  (_, flowId, found) => {
    const session = { ...newSession(program, {}), flowId }
    for (const [trigger, of] of Object.entries(found))
      expect(findCalled(program, session, { trigger, values: { a: 1 } })?.flow.id, trigger).toBe(of)
  },
)

test('what was called tells its block what came with the call', () => {
  const called = findCalled(program, newSession(program, {}), { trigger: 'first', values: { a: 1 } })
  expect(called).toMatchObject({
    trigger: { id: 'first' },
    cause: { type: 'start', signal: { trigger: 'first', values: { a: 1 } } },
  })
})
