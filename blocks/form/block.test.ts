import { expect, test } from 'vitest'
import type { Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import { staticValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { form } from './block'
import { type FormField, formDefaults, formSchema, newFormField } from './schema'

const field = (id: string, change: Partial<FormField> = {}): FormField => ({
  ...newFormField(() => id),
  label: staticValue(id),
  saveTo: id,
  ...change,
})
const data = (fields: FormField[], change: object = {}) => ({
  ...formDefaults(createCountingIds('i')),
  prompt: plainRichText('Who are you?'),
  fields,
  ...change,
})
const filled = (values: Record<string, string | string[]>): Reply => ({ type: 'form', values })
const choices = ['Tea', 'Coffee'].map((label, n) => ({ id: `c${n}`, label: staticValue(label) }))

test('asks for all fields at once and keeps each entry', () => {
  const fields = [
    field('name'),
    field('mail', { type: 'email' }),
    field('note', { type: 'long-text', required: false }),
  ]
  const run = runKind('form', data(fields), {
    replies: [filled({ name: ' Ada ', mail: ' ada@lovelace.example ', note: '' })],
  })
  expect(run).toMatchObject({
    said: ['Who are you?'],
    port: 'next',
    variables: { name: 'Ada', mail: 'ada@lovelace.example', note: null },
  })
})

test('tells the visitor’s input what it asks for, and what is known already', () => {
  const fields = [field('name', { placeholder: staticValue('Ada') }), field('drink', { type: 'select', choices })]
  expect(runKind('form', data(fields), { variables: { name: 'Grace' } }).request).toEqual({
    input: 'form',
    required: true,
    submitLabel: 'Submit',
    fields: [
      {
        ...{ id: 'name', label: 'name', type: 'text', required: true, placeholder: 'Ada', choices: [], value: 'Grace' },
        maxLength: 20_000,
      },
      { id: 'drink', label: 'drink', type: 'select', required: true, placeholder: '', choices: ['Tea', 'Coffee'] },
    ],
  })
})

test('asks again with what is wrong at each field and what was entered, saving nothing', () => {
  const fields = [field('name'), field('mail', { type: 'email' }), field('age', { type: 'number', required: false })]
  const wrong = filled({ name: 'Ada', mail: 'ada', age: 'old' })
  const run = runKind('form', data(fields), { replies: [wrong] })
  expect(run.request).toMatchObject({
    fields: [
      { id: 'name', value: 'Ada' },
      { id: 'mail', value: 'ada', problem: 'Enter a valid email address' },
      { id: 'age', value: 'old', problem: 'Enter a valid number' },
    ],
  })
  expect(run.variables).not.toHaveProperty('name')
  const again = runKind('form', data(fields), { replies: [wrong, filled({ name: '', mail: 'a@b.co' })] })
  expect(again.request).toMatchObject({ fields: [{ problem: 'Required', value: '' }, { value: 'a@b.co' }, {}] })
  expect(JSON.stringify(again.request)).not.toContain('Enter a valid')
})

test.each<[Partial<FormField>, string | string[], unknown]>([
  [{ type: 'phone' }, '+49 30 123456', '+4930123456'],
  [{ type: 'phone' }, '030 123456', '030 123456'],
  [{ type: 'phone' }, '+999 123456789', 'Enter a valid phone number'],
  [{ type: 'number' }, ' 007 ', 7],
  [{ type: 'url' }, 'https://a.example', 'https://a.example'],
  [{ type: 'url' }, 'a.example', 'Enter a valid URL (must start with https:// or http://)'],
  [{ type: 'url' }, `https://a.example/${'x'.repeat(500)}`, 'Must be less than 501 characters'],
  [{ type: 'date' }, '2026-11-21', '2026-11-21'],
  [{ type: 'date' }, '2026-02-30', 'Enter a valid date'],
  [{ type: 'select', choices }, 'Tea', 'Tea'],
  [{ type: 'select', choices }, 'Water', 'Choose one of the options'],
  [{ type: 'multiple', choices }, ['Coffee', 'Tea', 'Water'], ['Tea', 'Coffee']],
  [{ type: 'multiple', choices }, 'Tea', ['Tea']],
  [{ type: 'multiple', choices }, ['Water'], 'Required'],
  [{ type: 'multiple', choices, required: false }, [], null],
  [{ type: 'checkbox' }, 'true', true],
  [{ type: 'checkbox' }, '', 'Required'],
  [{ type: 'checkbox', required: false }, '', false],
  [{ type: 'text' }, ['first', 'second'], 'first'],
  [{ type: 'text' }, ' ', 'Required'],
  [{ type: 'email' }, `${'a'.repeat(320)}@b.co`, 'Must be less than 321 characters'],
])('of %j, %j is %j', (change, entry, expected) => {
  const run = runKind('form', data([field('x', change)]), { replies: [filled({ x: entry })] })
  if (run.port === 'next') expect(run.variables.x).toEqual(expected)
  else expect(run.request).toMatchObject({ fields: [{ problem: expected, value: entry }] })
})

test('may be skipped when it is not required, or when none of its fields is', () => {
  const optional = data([field('name')], { required: false })
  expect(runKind('form', optional, { replies: [skipped] }).port).toBe('skip')
  expect(runKind('form', data([field('name', { required: false })]), { replies: [skipped] }).port).toBe('skip')
  expect(runKind('form', data([field('name')]), { replies: [skipped] }).port).toBeNull()
  expect(form.ports(formSchema.parse(data([field('name')]))).map(({ id }) => id)).toEqual(['next'])
})

test('what is no form is waited through, ten times', () => {
  const replies = Array.from({ length: 10 }, () => typed('hello'))
  expect(runKind('form', data([field('name')]), { replies: replies.slice(1) }).port).toBeNull()
  expect(runKind('form', data([field('name')]), { replies }).port).toBe('next')
})

test('without fields it does not wait', () => {
  expect(runKind('form', data([]))).toMatchObject({ port: 'next', said: ['Who are you?'] })
})

test('leaves by no-reply when the time is over', () => {
  const run = runKind('form', data([field('name')], { noReplyAfter: 60 }), { replies: [{ type: 'timeout' }] })
  expect(run.port).toBe('no-reply')
})

test('labels are capped at 100 characters, choices at 255', () => {
  const valid = (change: Partial<FormField>) => formSchema.safeParse(data([field('x', change)])).success
  expect([100, 101].map((length) => valid({ label: staticValue('x'.repeat(length)) }))).toEqual([true, false])
  const choice = (length: number) => [{ id: 'c', label: staticValue('x'.repeat(length)) }]
  expect([255, 256].map((length) => valid({ choices: choice(length) }))).toEqual([true, false])
})
