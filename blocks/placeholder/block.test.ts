import { expect, test } from 'vitest'
import { runKind } from '../../tests/support/conversations'

test('does nothing and goes on', () => {
  const data = { product: 'typebot', type: 'Chatwoot', reason: 'Parley has no such block.', data: { any: ['thing'] } }
  expect(runKind('placeholder', data)).toMatchObject({ port: 'next', said: [], notes: [] })
})
