import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { flowAround, runKind, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { documentDefaults, documentSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const saidBy = (data: object) =>
  replay(
    createProgram(flowAround('document', { ...documentDefaults(), ...data }), registry),
    { replies: [] },
    stillRuntime,
  ).turns[0]?.messages

test('sends a file with its name and caption, and a link to it where a channel has no documents', () => {
  expect(
    saidBy({ url: still('/files/aaaabbbbccccdddd'), name: still('prices.pdf'), caption: still('Our prices') }),
  ).toMatchObject([
    {
      kind: 'text',
      native: { type: 'document', url: '/files/aaaabbbbccccdddd', name: 'prices.pdf', caption: 'Our prices' },
      text: [
        { children: [{ text: 'Our prices' }] },
        { children: [{ text: 'prices.pdf', link: '/files/aaaabbbbccccdddd' }] },
      ],
    },
  ])
})

test.each([
  ['https://a.example/files/Price%20list.pdf?v=2#page', 'Price list.pdf'],
  ['https://a.example/%E0%A4%A', '%E0%A4%A'],
  ['https://a.example/', 'Document'],
  ['https://a.example', 'Document'],
  ['/files/aaaabbbbccccdddd', 'Document'],
])('without a name, %s is called %s', (url, name) => {
  expect(saidBy({ url: still(url) })).toMatchObject([{ native: { url, name, caption: '' } }])
})

test.each(['javascript:alert(1)', 'data:application/pdf;base64,AAAA', 'a.pdf', ''])(
  'an address from a variable that is not http(s) is not sent: %s',
  (value) => {
    expect(
      runKind('document', { ...documentDefaults(), url: fromVariable }, { variables: { v: value } }),
    ).toMatchObject({ said: [], port: 'next' })
  },
)

test('says what is missing or wrong', () => {
  const { problems } = registry.get('document')
  expect(problems(documentDefaults()).map(({ path }) => path)).toEqual(['url'])
  const with_ = (change: object) => documentSchema.safeParse({ ...documentDefaults(), ...change }).success
  expect(with_({ url: still('ftp://a.example') })).toBe(false)
  expect(with_({ name: still('x'.repeat(256)) })).toBe(false)
  expect(with_({ caption: still('x'.repeat(1025)) })).toBe(false)
})
