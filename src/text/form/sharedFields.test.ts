import { expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { createCountingIds } from '../../../engine/flow/ids'
import { mixedFields, sharedFields } from './sharedFields'

const fieldsOf = (kind: string) => {
  const definition = registry.get(kind)
  return sharedFields(definition, definition.defaults(createCountingIds('i')))
}

test('several questions can be given their switches, numbers, choices and variables at once', () => {
  expect(fieldsOf('text-input')).toEqual(
    expect.arrayContaining([
      { name: 'saveTo', as: 'variable' },
      { name: 'required', as: 'toggle' },
      { name: 'attempts', as: 'number', optional: false },
      { name: 'noReplyAfter', as: 'number', optional: true },
    ]),
  )
  const [unit] = fieldsOf('wait').filter(({ name }) => name === 'unit')
  expect(unit).toMatchObject({ as: 'select', options: expect.arrayContaining(['seconds']) })
})

test('texts, lists, and ids of what is no variable are left to the form of one block', () => {
  expect(fieldsOf('text')).toEqual([])
  expect(fieldsOf('go-to').map(({ name }) => name)).toEqual(['to', 'comesBack'])
})

test('blocks differ in a field where one of them does', () => {
  const all = [
    { a: 1, b: ['x'] },
    { a: 1, b: ['x'] },
    { a: 2, b: ['x'] },
  ]
  expect([...mixedFields(['a', 'b'], all)]).toEqual(['a'])
})
