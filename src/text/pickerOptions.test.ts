import { expect, test } from 'vitest'
import { pickerOptions } from './pickerOptions'

const variables = [
  { id: 'o', name: 'Order' },
  { id: 'l', name: 'language' },
]
const shown = (filter: string, choice = { system: true, parts: true }) =>
  pickerOptions(variables, filter, choice).map(({ variableId, path = '' }) => variableId + path)

test('the flow’s own variables come first, those of the system after them and only where they can be read', () => {
  expect(shown('language')).toEqual(['l', 'sys_language'])
  expect(shown('', { system: false, parts: true })).toEqual(['o', 'l'])
  expect(shown('contact_em')).toEqual(['sys_contact_email'])
})

test('a part is offered behind a whole name, where parts can be chosen', () => {
  expect(shown('order.items[0].name')).toEqual(['o.items[0].name'])
  expect(shown('ord.items')).toEqual([])
  expect(shown('order.')).toEqual([])
  expect(shown('order.items', { system: true, parts: false })).toEqual([])
})
