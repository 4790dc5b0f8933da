import { expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { runKind } from '../../tests/support/conversations'
import { audioDefaults, audioSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const said = (data: object, value = '') =>
  runKind('audio', { ...audioDefaults(), ...data }, { variables: { v: value } }).said

test.each(['https://a.example/b.mp3', '/files/aaaabbbbccccdddd'])('offers %s', (url) => {
  expect(said({ url: still(url) })).toEqual([`[audio ${url}]`])
  expect(said({ url: fromVariable }, ` ${url} `)).toEqual([`[audio ${url}]`])
})

test.each(['javascript:alert(1)', 'data:audio/mpeg;base64,AAAA', 'b.mp3', '//a.example/b.mp3', ''])(
  'an address from a variable that is not http(s) is not offered: %s',
  (value) => {
    expect(runKind('audio', { ...audioDefaults(), url: fromVariable }, { variables: { v: value } })).toMatchObject({
      said: [],
      port: 'next',
    })
  },
)

test('refuses an address without http(s) in the words of the specification, and a caption above 1024 characters', () => {
  const message = (change: object) => audioSchema.safeParse({ ...audioDefaults(), ...change }).error?.issues[0]?.message
  expect(message({ url: still('ftp://a.example') })).toBe('Enter a valid URL (must start with https:// or http://)')
  expect(message({ url: fromVariable })).toBeUndefined()
  expect(message({ caption: still('x'.repeat(1025)) })).toBe('Must not exceed 1024 characters')
})
