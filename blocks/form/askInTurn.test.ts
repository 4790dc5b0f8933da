import { expect, test } from 'vitest'
import type { Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import { staticValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import { chose, runKind, skipped, typed } from '../../tests/support/conversations'
import { type FormField, formDefaults, newFormField } from './schema'

const field = (id: string, change: Partial<FormField> = {}): FormField => ({
  ...newFormField(() => id),
  ...{ label: staticValue(`${id}?`), saveTo: id, ...change },
})
const choices = ['Tea', 'Coffee'].map((label, n) => ({ id: `c${n}`, label: staticValue(label) }))
/** On a channel that shows no forms. */
const run = (
  fields: FormField[],
  replies: Reply[],
  { variables = {}, ...change }: { variables?: Record<string, Json>; [field: string]: unknown } = {},
) =>
  runKind(
    'form',
    { ...formDefaults(createCountingIds('i')), prompt: plainRichText('Hello'), fields, ...change },
    { variables, replies, channel: { features: [], reaches: false } },
  )

test('each field is a question of its own, and all are saved after the last', () => {
  const fields = [
    field('name', { placeholder: staticValue('Ada') }),
    field('mail', { type: 'email' }),
    field('age', { type: 'number' }),
    field('drink', { type: 'select', choices }),
    field('all', { type: 'multiple', choices }),
    field('terms', { type: 'checkbox' }),
  ]
  const replies = [typed(' Ada '), typed('ada@a.example'), typed('36'), chose('choice-1')]
  const before = run(fields, replies)
  expect(before.said).toEqual(['Hello', 'name? (Ada)', 'mail?', 'age?', 'drink?', 'all?'])
  expect(before.request).toMatchObject({ input: 'choice', multiple: true, skippable: false })
  expect(before.variables).not.toHaveProperty('name')
  const done = run(fields, [...replies, chose('choice-0', 'choice-1'), chose('choice-0')])
  expect(done).toMatchObject({
    port: 'next',
    variables: {
      ...{ name: 'Ada', mail: 'ada@a.example', age: 36 },
      ...{ drink: 'Coffee', all: ['Tea', 'Coffee'], terms: true },
    },
  })
})

test('an invalid answer is told what is wrong, and its field asked again', () => {
  const fields = [field('name'), field('mail', { type: 'email' }), field('terms', { type: 'checkbox' })]
  const course = run(fields, [typed('Ada'), typed('ada'), typed('ada@a.example'), chose('choice-1')])
  expect(course.said).toEqual([
    ...['Hello', 'name?', 'mail?', 'Enter a valid email address\nmail?', 'terms?', 'Required\nterms?'],
  ])
  expect(course.port).toBeNull()
})

test('ten invalid answers end it with nothing saved', () => {
  const fields = [field('name'), field('mail', { type: 'email' })]
  const wrong = [typed('Ada'), ...Array.from({ length: 10 }, () => typed('ada'))]
  expect(run(fields, wrong.slice(0, 10)).port).toBeNull()
  const ended = run(fields, wrong)
  expect(ended.port).toBe('next')
  expect(ended.variables).not.toHaveProperty('name')
  expect(run(fields, wrong, { required: false }).port).toBe('skip')
})

test('what is optional can be skipped, which leaves it empty', () => {
  const fields = [
    field('name'),
    field('mail', { type: 'email', required: false }),
    field('news', { type: 'checkbox', required: false }),
  ]
  const asked = run(fields, [typed('Ada')])
  expect(asked.request).toEqual({ input: 'email', placeholder: '', required: false })
  expect(run(fields, [typed('Ada'), skipped, skipped])).toMatchObject({
    port: 'next',
    variables: { name: 'Ada', mail: null, news: false },
  })
  // a required one is asked again
  expect(run(fields, [skipped])).toMatchObject({ port: null, said: ['Hello', 'name?', 'Required\nname?'] })
})

test('the form as a whole is skipped by a required field of an optional form, and by skipping all', () => {
  const fields = [field('note', { required: false }), field('name')]
  const whole = run(fields, [typed('none'), skipped], { required: false })
  expect(whole.port).toBe('skip')
  expect(whole.variables).not.toHaveProperty('note')
  const all = [field('note', { required: false }), field('name', { required: false })]
  expect(run(all, [skipped, skipped]).port).toBe('skip')
  expect(run(all, [skipped, typed('Ada')]).port).toBe('next')
})

test('what is known already is suggested', () => {
  expect(run([field('name')], [], { variables: { name: 'Grace' } }).request).toMatchObject({
    quickReplies: [{ id: 'known', label: 'Grace' }],
  })
})

test('leaves by no-reply when the time is over in the middle', () => {
  const course = run([field('name'), field('mail')], [typed('Ada'), { type: 'timeout' }], { noReplyAfter: 60 })
  expect(course).toMatchObject({ port: 'no-reply' })
  expect(course.variables).not.toHaveProperty('name')
})
