import { expect, test } from 'vitest'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { locationInputDefaults } from './schema'

const data = (change: object = {}) => ({ ...locationInputDefaults(), saveTo: 'v', savePointTo: 'w', ...change })
const kept = (text: string) => {
  const { variables } = runKind('location-input', data(), { replies: [typed(text)], variables: { v: null, w: null } })
  return [variables.v, variables.w]
}

test('keeps a place that was sent by its name and address, and its coordinates on their own', () => {
  expect(kept('London\nLondon, UK\n51.5074, -0.1278')).toEqual(['London\nLondon, UK', '51.5074, -0.1278'])
  expect(kept('51.5074, -0.1278')).toEqual(['51.5074, -0.1278', '51.5074, -0.1278'])
})

test('keeps what was typed', () => {
  expect(kept('1 High Street, London')).toEqual(['1 High Street, London', null])
})

test('asks for a place, and can be skipped when it is optional', () => {
  expect(runKind('location-input', data()).request).toMatchObject({ input: 'text', wants: 'location' })
  expect(runKind('location-input', data({ required: false }), { replies: [skipped] }).port).toBe('skip')
})
