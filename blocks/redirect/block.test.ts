import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { redirect } from './block'
import { redirectSchema } from './schema'

const withName: DynamicValue = {
  type: 'dynamic',
  parts: [
    { type: 'text', text: 'https://a.example/?n=' },
    { type: 'variable', variable_id: 'v' },
  ],
}
const messages = (data: object, value = '') =>
  replay(createProgram(flowAround('redirect', data, { v: value }), registry), { replies: [] }, stillRuntime).turns[0]
    ?.messages

test('sends the visitor to an address with the values of variables in it', () => {
  expect(messages({ url: withName, newTab: true }, 'Ada')).toEqual([
    { kind: 'redirect', url: 'https://a.example/?n=Ada', newTab: true, blockId: 'subject' },
  ])
  expect(redirect.reads({ url: withName, newTab: true })).toEqual(['v'])
})

test.each(['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '//a.example', '/files/x', ''])(
  'an address from a variable that is not http(s) leads nowhere: %s',
  (value) => {
    const url = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
    expect(messages({ url, newTab: false }, value)).toEqual([])
  },
)

test('refuses an address without http(s) in the words of the specification, unless variables make it', () => {
  const message = (url: DynamicValue) => redirectSchema.safeParse({ url, newTab: false }).error?.issues[0]?.message
  const refused = 'Enter a valid URL (must start with https:// or http://)'
  expect(message({ type: 'static', value: 'javascript:alert(1)' })).toBe(refused)
  expect(message(withName)).toBeUndefined()
})
