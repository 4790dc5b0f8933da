import { expect, test } from 'vitest'
import { chosenOf } from './chosenOf'

const options = ['Tea', 'Coffee', 'Milk, cold', 'Milk'].map((label) => ({ label }))
const places = (said: string | null, multiple = false) => [...chosenOf(options, said, multiple)]

test('one that was chosen is known by its label, and by nothing less', () => {
  expect(places('Coffee')).toEqual([1])
  for (const said of [null, '', 'coffee', 'Coffee, please', 'Tea, Coffee']) expect(places(said)).toEqual([])
})

test('several are known in their order, also where a label has a comma', () => {
  expect(places('Tea, Milk, cold', true)).toEqual([0, 2])
  expect(places('Milk, cold, Milk', true)).toEqual([2, 3])
  expect(places('Tea', true)).toEqual([0])
  for (const said of ['Tea and more', 'Tea, Cocoa', 'Tea, ']) expect(places(said, true)).not.toContain(1)
  expect(places('Tea, Cocoa', true)).toEqual([])
})
