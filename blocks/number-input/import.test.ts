import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const limits = (options: unknown) => importBlock({ type: 'number input', options })

test('a number input keeps its limits, whether they are written as numbers or as text', () => {
  expect(limits({ min: 1, max: '10' })).toMatchObject({ kind: 'number-input', data: { min: 1, max: 10 }, notes: [] })
})

test('a step and a limit that is a variable are noted', () => {
  const { data, notes } = limits({ min: '{{Low}}', step: 5 })
  expect(data).toMatchObject({ min: null, max: null })
  expect(notes).toEqual([
    "The setting 'step' has no counterpart here and is left out.",
    'The minimum is not a plain number and is left out.',
  ])
})

test('a maximum below the minimum is left out', () => {
  expect(limits({ min: 9, max: 1 })).toMatchObject({
    data: { min: 9, max: null },
    notes: ['The maximum is below the minimum and is left out.'],
  })
})
