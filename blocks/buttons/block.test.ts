import { expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { chose, runKind, skipped, typed } from '../../tests/support/conversations'
import { buttons } from './block'
import { buttonsDefaults, buttonsSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const options = [
  { id: 'tea', label: still('Tea') },
  {
    id: 'coffee',
    label: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'kind' }] } as DynamicValue,
    value: still('c'),
  },
]
const data = (change: object = {}) => ({
  ...buttonsDefaults(() => 'x'),
  prompt: plainRichText('What?'),
  options,
  saveTo: 'drink',
  ...change,
})
const variables = { kind: 'Black coffee' }

test('leaves by the port of the chosen option and keeps its value, or its label', () => {
  expect(runKind('buttons', data(), { variables, replies: [chose('tea')] })).toMatchObject({
    port: 'tea',
    variables: { drink: 'Tea' },
  })
  expect(runKind('buttons', data(), { variables, replies: [chose('coffee')] })).toMatchObject({
    port: 'coffee',
    variables: { drink: 'c' },
  })
})

test('offers the labels with the values of variables', () => {
  expect(runKind('buttons', data(), { variables }).request).toMatchObject({
    input: 'choice',
    options: [
      { id: 'tea', label: 'Tea' },
      { id: 'coffee', label: 'Black coffee' },
    ],
  })
})

test('a typed label is that option, typing allowed or not', () => {
  for (const typing of [true, false]) {
    expect(runKind('buttons', data({ typing }), { variables, replies: [typed(' black COFFEE ')] }).port).toBe('coffee')
  }
})

test('any other typed text leaves by default where typing is allowed', () => {
  const run = runKind('buttons', data({ typing: true }), { variables, replies: [typed(' Water ')] })
  expect(run).toMatchObject({ port: 'default', variables: { drink: 'Water' } })
})

test.each([typed('Water'), typed(''), skipped, chose('gone'), chose('tea', 'coffee')])(
  'what fits nothing is waited for again: %o',
  (reply) => {
    const run = runKind('buttons', data(), { variables, replies: [reply] })
    expect(run).toMatchObject({ session: { status: 'waiting' }, said: ['What?'], port: null })
  },
)

test('after ten replies that fit nothing the conversation goes on', () => {
  const replies = Array.from({ length: 10 }, () => typed('Water'))
  expect(runKind('buttons', data(), { variables, replies })).toMatchObject({ port: 'default' })
})

test('several choices are kept as a list in the order of the options and leave by default, the only port', () => {
  const run = runKind('buttons', data({ multiple: true }), { variables, replies: [chose('coffee', 'tea', 'tea')] })
  expect(run).toMatchObject({ port: 'default', variables: { drink: ['Tea', 'c'] } })
  expect(buttons.ports(data({ multiple: true }))).toEqual([{ id: 'default' }])
})

test('an option with an address has no port and does not answer', () => {
  const shop = { id: 'shop', label: still('Shop'), url: still('https://shop.example') }
  const mixed = data({ options: [...options, shop] })
  expect(buttons.ports(mixed).map(({ id }) => id)).toEqual(['tea', 'coffee', 'default'])
  expect(runKind('buttons', mixed, { variables, replies: [chose('shop')] })).toMatchObject({
    session: { status: 'waiting' },
    request: { options: [{}, {}, { url: 'https://shop.example' }] },
  })
  expect(runKind('buttons', data({ options: [shop] }), { replies: [typed('back')] }).port).toBe('default')
})

test('an option whose address of variables gives none is an answer that leaves by default', () => {
  const url: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'shop' }] }
  const shop = data({ options: [...options, { id: 'shop', label: still('Shop'), url }] })
  expect(buttons.ports(shop).map(({ id }) => id)).toEqual(['tea', 'coffee', 'default'])
  expect(runKind('buttons', shop, { variables, replies: [chose('shop')] })).toMatchObject({
    port: 'default',
    variables: { drink: 'Shop' },
  })
})

test('without options and typing it does not wait', () => {
  expect(runKind('buttons', data({ options: [] }))).toMatchObject({ port: 'default', said: ['What?'] })
})

test('ports name their row, their label, and default as the way out for options that are not connected', () => {
  expect(buttons.ports(data())).toEqual([
    { id: 'tea', label: 'Tea', row: 'tea', fallback: 'default' },
    { id: 'coffee', label: '…', row: 'coffee', fallback: 'default' },
    { id: 'default', label: 'Any other option' },
  ])
  expect(buttons.ports(data({ typing: true })).at(-1)).toEqual({ id: 'default', label: 'Any other answer' })
})

test('labels are capped at 75 characters', () => {
  const valid = (label: string) =>
    buttonsSchema.safeParse(data({ options: [{ id: 'a', label: still(label) }] })).success
  expect(valid('x'.repeat(75))).toBe(true)
  expect(valid('x'.repeat(76))).toBe(false)
})
