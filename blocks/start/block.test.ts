import { expect, test } from 'vitest'
import { runKind } from '../../tests/support/conversations'
import { start } from './block'

test('a new conversation begins at it and goes on', () => {
  expect(start.startsOn?.({}, { type: 'start' }, 'b')).toBe(true)
  expect(runKind('start', {})).toMatchObject({ port: 'next', said: [] })
})
