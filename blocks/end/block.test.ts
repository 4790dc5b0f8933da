import { expect, test } from 'vitest'
import { runKind } from '../../tests/support/conversations'

test('closes the conversation without leaving by a port', () => {
  expect(runKind('end', {})).toMatchObject({ port: null, session: { status: 'ended', at: null }, notes: [] })
})
