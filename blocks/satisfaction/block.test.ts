import { expect, test } from 'vitest'
import type { Reply } from '../../engine/flow/effects'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { chose, runKind, skipped, typed } from '../../tests/support/conversations'
import { satisfaction } from './block'
import { satisfactionDefaults, satisfactionSchema } from './schema'

let count = 0
const still = (value: string): DynamicValue => ({ type: 'static', value })
const defaults = satisfactionDefaults(() => `l${++count}`)
const data = (change: object = {}) => ({ ...defaults, saveTo: 'v', ...change })
const run = (change: object, ...replies: Reply[]) => runKind('satisfaction', data(change), { replies })

test('asks for a rating by faces with names, and keeps it as a number', () => {
  expect(run({}).said).toEqual(['How was this conversation?'])
  expect(run({}).request).toEqual({
    input: 'rating',
    required: false,
    scale: 'emoji',
    options: ['Very bad', 'Bad', 'Okay', 'Good', 'Very good'].map((label, n) => ({ id: `l${n + 1}`, label })),
  })
  expect(run({}, chose('l4'))).toMatchObject({ port: 'next', variables: { v: 4 } })
  expect(run({}, typed(' good '))).toMatchObject({ port: 'next', variables: { v: 4 } })
  expect(run({}, typed('5'))).toMatchObject({ port: 'next', variables: { v: 5 } })
})

test.each([
  [{ scale: 'stars', points: 3 }, ['1', '2', '3']],
  [{ scale: 'stars', points: 3, zero: true }, ['1', '2', '3']],
  [{ scale: 'numbers', points: 4, zero: true }, ['0', '1', '2', '3', '4']],
])('%o goes through %j', (change, labels) => {
  const { request } = run(change)
  expect(request && 'options' in request && request.options.map(({ label }) => label)).toEqual(labels)
  expect(run({ ...change, low: null }, typed(labels[0] ?? ''))).toMatchObject({
    port: 'next',
    variables: { v: Number(labels[0]) },
  })
})

test('a low score has a way of its own, and is kept too', () => {
  expect(run({ low: 2 }, chose('l2'))).toMatchObject({ port: 'low', variables: { v: 2 } })
  expect(run({ low: 2 }, chose('l3')).port).toBe('next')
  expect(run({ low: null }, chose('l1')).port).toBe('next')
  expect(satisfaction.ports(data()).map(({ id }) => id)).toEqual(['next', 'skip', 'low'])
  expect(satisfaction.ports(data({ low: null, required: true })).map(({ id }) => id)).toEqual(['next'])
  expect(satisfaction.ports(data({ answer: 'text' })).map(({ id }) => id)).toEqual(['next', 'skip'])
})

test('one option is kept by its label, several as a list in their order', () => {
  const options = ['Fast', 'Kind', 'Right'].map((label, n) => ({ id: `o${n}`, label: still(label) }))
  expect(run({ answer: 'single', options }).request).toMatchObject({
    input: 'choice',
    multiple: false,
    skippable: true,
  })
  expect(run({ answer: 'single', options }, chose('o1'))).toMatchObject({ port: 'next', variables: { v: 'Kind' } })
  expect(run({ answer: 'single', options }, chose('o1', 'o2'))).toMatchObject({ port: null })
  expect(run({ answer: 'multiple', options }, chose('o2', 'o0'))).toMatchObject({
    port: 'next',
    variables: { v: ['Fast', 'Right'] },
  })
  expect(run({ answer: 'single', options: [] })).toMatchObject({ port: 'next', request: null })
})

test('words have at most 350 characters, and it says so', () => {
  const text = { answer: 'text', placeholder: still('Tell us') }
  expect(run(text).request).toMatchObject({ input: 'text', maxLength: 350, placeholder: 'Tell us', required: false })
  expect(run(text, typed(` ${'x'.repeat(350)} `))).toMatchObject({ port: 'next', variables: { v: 'x'.repeat(350) } })
  expect(run(text, typed('x'.repeat(351)))).toMatchObject({
    port: null,
    said: ['How was this conversation?', 'Must not exceed 350 characters'],
  })
})

test('may be skipped unless it is required; what fits nothing is asked for again, ten times', () => {
  for (const answer of ['rating', 'single', 'multiple', 'text']) {
    expect(run({ answer }, skipped)).toMatchObject({ port: 'skip' })
    expect(run({ answer, required: true }, skipped)).toMatchObject({ port: null, session: { status: 'waiting' } })
  }
  const wrong = (times: number) => run({}, ...Array.from({ length: times }, () => typed('hm')))
  expect(wrong(9).port).toBeNull()
  expect(wrong(10)).toMatchObject({ port: 'next' })
  expect(wrong(10).variables).not.toHaveProperty('v')
})

test('leaves by no-reply after its time', () => {
  expect(run({ noReplyAfter: 5 }).request).toMatchObject({ timeout: 5 })
  expect(run({ noReplyAfter: 5 }, { type: 'timeout' }).port).toBe('no-reply')
})

test('a low score lies on the scale, below its best', () => {
  const low = (change: object) => satisfactionSchema.safeParse(data(change)).error?.issues[0]
  expect(low({ low: 5 })).toMatchObject({ path: ['low'], message: 'Must be between 1 and 4' })
  expect(low({ low: 0 })).toMatchObject({ path: ['low'] })
  expect(low({ scale: 'numbers', points: 10, zero: true, low: 0 })).toBeUndefined()
  expect(low({ scale: 'numbers', points: 10, zero: true, low: 10 })).toMatchObject({
    message: 'Must be between 0 and 9',
  })
  expect(low({ answer: 'text', low: 9 })).toBeUndefined()
})
