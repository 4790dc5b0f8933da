import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const wait = (secondsToWaitFor: unknown) => importBlock({ type: 'Wait', options: { secondsToWaitFor } }, 'Pause')

test.each([5, '5', ' 5 '])('a wait keeps its seconds: %j', (seconds) => {
  const { kind, data, notes } = wait(seconds)
  expect([kind, data, notes]).toEqual(['wait', { amount: 5, unit: 'seconds', variableId: null }, []])
})

test('seconds may stand in a variable', () => {
  const { data, variable } = wait('{{Pause}}')
  expect(data).toMatchObject({ variableId: variable })
})

test('what is no time is noted', () => {
  expect(wait('')).toMatchObject({
    data: { amount: 1 },
    notes: ['How long it waits was not set as a number: here it waits 1 second.'],
  })
  expect(wait(1e9).notes).toEqual(['It waited 1000000000 seconds: here it waits 2592000.'])
})
