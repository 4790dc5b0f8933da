import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { chose, flowAround, runKind, skipped, stillRuntime, typed } from '../../tests/support/conversations'
import { registry } from '../registry'
import { carousel } from './block'
import { carouselDefaults, carouselSchema, newCard } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
let count = 0
const card = (title: string, change: object = {}) => ({
  ...newCard(() => `c${count++}`),
  title: still(title),
  ...change,
})
const tea = card('Tea', {
  description: still('Green'),
  image: still('https://a.example/tea.png'),
  imageLink: still('https://a.example/tea'),
  buttons: [
    { id: 'tea', label: still('Take it') },
    { id: 'more', label: still('More'), url: still('https://a.example/more') },
  ],
})
const coffee = card('Coffee', { buttons: [{ id: 'coffee', label: fromVariable }] })
const data = (change: object = {}) => ({
  ...carouselDefaults(() => `d${count++}`),
  items: [tea, coffee],
  saveTo: 'button',
  saveCardTo: 'card',
  ...change,
})
const variables = { v: 'Black' }

test('shows the cards with their pictures, links and buttons, and asks for those that answer', () => {
  const program = createProgram(flowAround('carousel', data(), variables), registry)
  const [turn] = replay(program, { replies: [] }, stillRuntime).turns
  expect(turn?.messages).toEqual([
    {
      kind: 'carousel',
      blockId: 'subject',
      items: [
        {
          id: tea.id,
          title: 'Tea',
          description: 'Green',
          image: 'https://a.example/tea.png',
          imageLink: 'https://a.example/tea',
          buttons: [
            { id: 'tea', label: 'Take it' },
            { id: 'more', label: 'More', url: 'https://a.example/more' },
          ],
        },
        { id: coffee.id, title: 'Coffee', description: '', buttons: [{ id: 'coffee', label: 'Black' }] },
      ],
    },
  ])
  expect(turn?.session.request).toEqual({
    input: 'choice',
    multiple: false,
    typing: false,
    placeholder: '',
    shown: 'cards',
    options: [
      { id: 'tea', label: 'Take it' },
      { id: 'coffee', label: 'Black' },
    ],
  })
})

test.each([
  [chose('tea'), 'tea', 'Take it', 'Tea'],
  [chose('coffee'), 'coffee', 'Black', 'Coffee'],
  [typed(' BLACK '), 'coffee', 'Black', 'Coffee'],
])('%o leaves by that button and keeps its label and its card', (reply, port, button, title) => {
  expect(runKind('carousel', data(), { variables, replies: [reply] })).toMatchObject({
    port,
    variables: { button, card: title },
  })
})

test.each([typed('Water'), skipped, chose('more'), chose('gone'), chose('tea', 'coffee')])(
  'what fits nothing is waited for again, ten times: %o',
  (reply) => {
    const run = (times: number) =>
      runKind('carousel', data(), { variables, replies: Array.from({ length: times }, () => reply) })
    expect(run(9)).toMatchObject({ port: null, session: { status: 'waiting' } })
    expect(run(10).port).toBe('next')
  },
)

test('any text leaves by next where typing is allowed; the card stays unknown', () => {
  const run = runKind('carousel', data({ typing: true }), { variables, replies: [typed(' Water ')] })
  expect(run).toMatchObject({ port: 'next', variables: { button: 'Water' } })
  expect(run.variables).not.toHaveProperty('card')
})

test('leaves by no-reply after its time', () => {
  const patient = data({ noReplyAfter: 60 })
  expect(runKind('carousel', patient, { variables }).request).toMatchObject({ timeout: 60 })
  expect(runKind('carousel', patient, { variables, replies: [{ type: 'timeout' }] }).port).toBe('no-reply')
  expect(carousel.ports(patient).at(-1)).toEqual({ id: 'no-reply', label: 'No reply', fallback: 'next' })
})

test('with buttons that open pages alone, or none, it asks nothing', () => {
  const [, link] = tea.buttons as object[]
  for (const items of [[card('A', { buttons: [link] })], [card('A')]])
    expect(runKind('carousel', data({ items }))).toMatchObject({ port: 'next', request: null })
  expect(carousel.ports(data({ items: [card('A')] }))).toEqual([{ id: 'next' }])
  expect(runKind('carousel', data({ items: [card(' ')] })).said).toEqual([])
})

test('addresses of variables that are none: no picture, no link, and the button answers by next', () => {
  const items = [
    card('A', {
      image: fromVariable,
      imageLink: fromVariable,
      buttons: [{ id: 'b', label: still('Go'), url: fromVariable }],
    }),
  ]
  const run = runKind('carousel', data({ items }), { variables: { v: 'javascript:1' }, replies: [chose('b')] })
  expect(run).toMatchObject({ port: 'next', variables: { button: 'Go' } })
})

test('every button has a port at its row, next takes what is left', () => {
  expect(carousel.ports(data())).toEqual([
    { id: 'tea', label: 'Take it', row: 'tea', fallback: 'next' },
    { id: 'coffee', label: '…', row: 'coffee', fallback: 'next' },
    { id: 'next', label: 'Any other button' },
  ])
})

test('keeps to the lengths and addresses of the specification', () => {
  const message = (change: object) =>
    carouselSchema.safeParse(data({ items: [card('A', change)] })).error?.issues[0]?.message
  const badUrl = 'Enter a valid URL (must start with https:// or http://)'
  expect(message({ title: still('x'.repeat(151)) })).toBe('Must not exceed 150 characters')
  expect(message({ description: still('x'.repeat(501)) })).toBe('Must not exceed 500 characters')
  expect(message({ buttons: [{ id: 'b', label: still('x'.repeat(76)) }] })).toBe('Must not exceed 75 characters')
  expect(message({ buttons: [{ id: 'b', label: still('x'), url: still('a.example') }] })).toBe(badUrl)
  expect(message({ imageLink: still('a.example') })).toBe(badUrl)
  expect(message({ image: still('a.example/a.png') })).toBe(badUrl)
  expect(message({ buttons: [tea.buttons[0], tea.buttons[0]] })).toBe('Two buttons have the same ID')
})

test('one card for each item of its lists; the button of each tells whose it is', () => {
  const chip = (variable_id: string): DynamicValue => ({ type: 'dynamic', parts: [{ type: 'variable', variable_id }] })
  const one = card('', {
    title: chip('names'),
    image: chip('pictures'),
    buttons: [{ id: 'pick', label: still('Pick') }],
  })
  const listed = data({ items: [one], repeat: true, saveCardTo: 'card' })
  const variables = { names: ['Tea', 'Coffee'], pictures: ['https://a.example/tea.png'], card: null }
  const { request } = runKind('carousel', listed, { variables })
  expect(request).toMatchObject({ options: [{ id: 'pick.0' }, { id: 'pick.1' }] })
  const run = runKind('carousel', listed, { variables, replies: [chose('pick.1')] })
  expect(run).toMatchObject({ port: 'pick', variables: { card: 'Coffee' } })
  expect(runKind('carousel', data({ items: [one] }), { variables }).request).toMatchObject({
    options: [{ id: 'pick' }],
  })
})
