import { expect, test } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { chose, runKind, skipped, typed } from '../../tests/support/conversations'
import { textInputDefaults, textInputSchema } from './schema'

const data = (change: object = {}) => ({
  ...textInputDefaults(),
  prompt: plainRichText('Your name?'),
  saveTo: 'name',
  ...change,
})

test('asks, keeps the answer, goes on', () => {
  expect(runKind('text-input', data(), { replies: [typed(' Ada ')] })).toMatchObject({
    said: ['Your name?'],
    variables: { name: ' Ada ' },
    port: 'next',
  })
})

test('tells the visitor’s input what it asks for', () => {
  const run = runKind('text-input', data({ long: true, maxLength: 50, placeholder: { type: 'static', value: 'Ada' } }))
  expect(run.request).toEqual({ input: 'text', long: true, placeholder: 'Ada', required: true, maxLength: 50 })
  expect(run.session.status).toBe('waiting')
})

test('asks again for an empty answer, as often as it may, then leaves by invalid with nothing kept', () => {
  const run = runKind('text-input', data({ attempts: 2 }), { replies: [typed('  '), skipped] })
  expect(run).toMatchObject({ said: ['Your name?', 'Enter a value'], port: 'invalid' })
  expect(run.variables).not.toHaveProperty('name')
})

test('an answer that is too short is asked for again, space around it not counted', () => {
  const run = runKind('text-input', data({ minLength: 3, retryText: plainRichText('') }), {
    replies: [typed(' ab '), typed('abc')],
  })
  expect(run).toMatchObject({ said: ['Your name?', 'Must be at least 3 characters'], variables: { name: 'abc' } })
  expect(runKind('text-input', data({ minLength: 3 })).request).toMatchObject({ minLength: 3 })
})

test('the fewest characters are not more than the most', () => {
  const issue = textInputSchema.safeParse(data({ minLength: 3, maxLength: 2 })).error?.issues[0]
  expect([issue?.path[0], issue?.message]).toEqual(['maxLength', 'Must not be below the minimum length'])
})

test('an answer that is too long is asked for again', () => {
  const retry = runKind('text-input', data({ maxLength: 3, retryText: plainRichText('') }), {
    replies: [typed('four')],
  })
  expect(retry).toMatchObject({ said: ['Your name?', 'Must not exceed 3 characters'], session: { status: 'waiting' } })
})

test('an optional input is left by skip, with the button or with an empty answer', () => {
  for (const reply of [skipped, typed('')]) {
    const run = runKind('text-input', data({ required: false }), { replies: [reply], variables: { name: 'before' } })
    expect(run).toMatchObject({ port: 'skip', variables: { name: 'before' } })
  }
})

test('a choice is no answer to it', () => {
  expect(runKind('text-input', data({ required: false }), { replies: [chose('a')] }).session.status).toBe('waiting')
})
