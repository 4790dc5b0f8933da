import { expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
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
    { id: 'default', label: 'Otherwise', spare: true },
  ])
  expect(buttons.ports(data({ typing: true })).at(-1)).toEqual({ id: 'default', label: 'Otherwise' })
})

test('labels are capped at 75 characters', () => {
  const valid = (label: string) =>
    buttonsSchema.safeParse(data({ options: [{ id: 'a', label: still(label) }] })).success
  expect(valid('x'.repeat(75))).toBe(true)
  expect(valid('x'.repeat(76))).toBe(false)
})

const guests: Json[] = [{ name: 'Ada', room: { number: 1 } }, { name: 'Grace', room: { number: 2 } }, { name: ' ' }]
const listData = (list: object, change: object = {}) =>
  data({ list: { variableId: 'guests', labelPath: '', valuePath: '', ...list }, options: [], ...change })

test('each item of a list is an option in front of the others, and leaves by default', () => {
  const withOther = listData({}, { options })
  const run = runKind('buttons', withOther, { variables: { ...variables, guests: ['Ada', 7, '', null] } })
  expect(run.request).toMatchObject({
    options: [
      { id: 'item-0', label: 'Ada' },
      { id: 'item-1', label: '7' },
      { id: 'tea', label: 'Tea' },
      { id: 'coffee', label: 'Black coffee' },
    ],
  })
  const chosen = (id: string) =>
    runKind('buttons', withOther, { variables: { guests: ['Ada', 7] }, replies: [chose(id)] })
  expect(chosen('item-1')).toMatchObject({ port: 'default', variables: { drink: 7 } })
  expect(chosen('tea')).toMatchObject({ port: 'tea', variables: { drink: 'Tea' } })
  expect(buttons.reads(withOther)).toContain('guests')
})

test('of items with parts one is the label and one is saved', () => {
  const kept = (list: object, reply = chose('item-1')) =>
    runKind('buttons', listData(list), { variables: { guests }, replies: [reply] })
  const byName = { labelPath: '.name', valuePath: '.room.number' }
  expect(kept(byName, chose('none')).request).toMatchObject({ options: [{ label: 'Ada' }, { label: 'Grace' }] })
  expect(kept(byName).variables.drink).toBe(2)
  expect(kept(byName, typed('grace')).variables.drink).toBe(2)
  expect(kept({ labelPath: '.name' }).variables.drink).toEqual(guests[1])
  expect(kept({ labelPath: '.gone' })).toMatchObject({ port: 'default', request: null })
})

test('a list that is not set offers nothing, what is no list is one item', () => {
  expect(runKind('buttons', listData({})).port).toBe('default')
  expect(runKind('buttons', listData({}), { variables: { guests: 'Ada' } }).request).toMatchObject({
    options: [{ id: 'item-0', label: 'Ada' }],
  })
})

test('a path is one, said at its field', () => {
  const issue = buttonsSchema.safeParse(listData({ labelPath: 'name' })).error?.issues[0]
  expect([issue?.path, issue?.message]).toEqual([['list', 'labelPath'], 'Enter a path such as .name or [0]'])
})

test('an option is there only while its condition holds', () => {
  const comparison = { id: 'c', variableId: 'age', operator: 'greater' as const, value: still('17') }
  const wine = { id: 'wine', label: still('Wine'), condition: { match: 'all', comparisons: [comparison] } }
  const ask = (age: number, replies = [chose('wine')]) =>
    runKind('buttons', data({ options: [...options, wine] }), { variables: { ...variables, age }, replies })
  expect(ask(18)).toMatchObject({ port: 'wine' })
  expect(ask(17)).toMatchObject({ port: null, request: { options: [{ id: 'tea' }, { id: 'coffee' }] } })
  expect(ask(17, [typed('wine')]).port).toBeNull()
  expect(runKind('buttons', data({ options: [wine] })).port).toBe('default')
  expect(buttons.reads(data({ options: [wine] }) as never)).toContain('age')
})

test('leaves by no-reply when the time is over, several may be chosen or not', () => {
  for (const multiple of [true, false]) {
    const waiting = data({ noReplyAfter: 60, multiple })
    expect(runKind('buttons', waiting).request).toMatchObject({ timeout: 60 })
    expect(runKind('buttons', waiting, { replies: [{ type: 'timeout' }] }).port).toBe('no-reply')
    expect(buttons.ports(waiting).at(-1)).toEqual({ id: 'no-reply', label: 'No reply', fallback: 'default' })
  }
})

test('an option can not have the id of another exit', () => {
  for (const id of ['default', 'no-reply', 'item-0']) {
    const taken = data({ options: [{ id, label: still('Tea') }] })
    expect(buttonsSchema.safeParse(taken).error?.issues[0]?.message).toBe('Another exit has this id')
    expect(buttons.ports(taken).map((port) => port.id)).toEqual(['default'])
  }
})
