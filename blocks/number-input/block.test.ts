import { expect, test } from 'vitest'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { numberInputDefaults, numberInputSchema } from './schema'

const data = (change: object = {}) => ({ ...numberInputDefaults(), saveTo: 'n', ...change })

test('keeps the answer as a number', () => {
  expect(runKind('number-input', data(), { replies: [typed(' 007.50 ')] })).toMatchObject({
    port: 'next',
    variables: { n: 7.5 },
  })
})

test('integer mode and the limits refuse, then it leaves by invalid', () => {
  const limited = data({ integer: true, min: 1, max: 10, attempts: 3 })
  const run = runKind('number-input', limited, { replies: ['2.5', '0', '11'].map(typed) })
  expect(run).toMatchObject({ port: 'invalid', said: ['Enter a whole number', 'Must be from 1 to 10'] })
  expect(runKind('number-input', limited).request).toMatchObject({ input: 'number', integer: true, min: 1, max: 10 })
})

test('can be skipped when it is optional', () => {
  expect(runKind('number-input', data({ required: false }), { replies: [skipped] }).port).toBe('skip')
})

test('limits lie within the builder’s range, the minimum below the maximum', () => {
  const valid = (change: object) => numberInputSchema.safeParse(data(change)).success
  expect(valid({ min: -999_999_999, max: 999_999_999 })).toBe(true)
  expect(valid({ min: -1_000_000_000 })).toBe(false)
  expect(valid({ max: 1_000_000_000 })).toBe(false)
  expect(valid({ min: 2, max: 1 })).toBe(false)
})
