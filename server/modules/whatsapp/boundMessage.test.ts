import { expect, test } from 'vitest'
import { boundMessage } from './boundMessage'

test('a message of usual size is stored as it came', () => {
  const message = { id: 'wamid.1', type: 'text', text: { body: 'x'.repeat(4_096) }, context: null, list: [1, true] }
  expect(boundMessage(message)).toEqual(message)
})

test('longer texts and lists are cut, and what is too much in all is left out', () => {
  const bounded = boundMessage({ type: 'text', text: { body: 'x'.repeat(3_000_000) }, list: Array(5_000).fill('x') })
  expect(bounded).toEqual({ type: 'text', text: { body: 'x'.repeat(20_000) }, list: Array(200).fill('x') })
  const many = Object.fromEntries(Array.from({ length: 190 }, (_, at) => [`f${at}`, 'x'.repeat(15_000)]))
  expect(JSON.stringify(boundMessage(many)).length).toBeLessThan(110_000)
})
