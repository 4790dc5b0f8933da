import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

test('an email input keeps its retry message and asks as often as can be', () => {
  const options = { variableId: 'v-Email', retryMessageContent: 'Again, {{Email}} is wrong' }
  const { kind, data, variable } = importBlock({ type: 'email input', options }, 'Email')
  expect(kind).toBe('email-input')
  expect(data).toMatchObject({ saveTo: variable, attempts: 10 })
  expect(data.retryText).toEqual([
    {
      type: 'paragraph',
      children: [{ text: 'Again, ' }, { text: '', variable: true, variable_id: variable }, { text: ' is wrong' }],
    },
  ])
})

test('an email input without options is one all the same', () => {
  expect(importBlock({ type: 'email input' })).toMatchObject({ kind: 'email-input', data: { saveTo: null }, notes: [] })
})
