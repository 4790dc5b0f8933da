import { expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { runKind } from '../../tests/support/conversations'
import { videoDefaults, videoSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const said = (data: object, value = '') =>
  runKind('video', { ...videoDefaults(), ...data }, { variables: { v: value } }).said

test.each(['https://a.example/b.mp4', 'https://youtu.be/dQw4w9WgXcQ', '/files/aaaabbbbccccdddd'])('shows %s', (url) => {
  expect(said({ url: still(url) })).toEqual([`[video ${url}]`])
  expect(said({ url: fromVariable }, ` ${url} `)).toEqual([`[video ${url}]`])
})

test.each(['javascript:alert(1)', 'data:video/mp4;base64,AAAA', 'b.mp4', '//a.example/b.mp4', ''])(
  'an address from a variable that is not http(s) is not shown: %s',
  (value) => {
    expect(runKind('video', { ...videoDefaults(), url: fromVariable }, { variables: { v: value } })).toMatchObject({
      said: [],
      port: 'next',
    })
  },
)

test('refuses an address without http(s) in the words of the specification, and a caption above 1024 characters', () => {
  const message = (change: object) => videoSchema.safeParse({ ...videoDefaults(), ...change }).error?.issues[0]?.message
  expect(message({ url: still('ftp://a.example') })).toBe('Enter a valid URL (must start with https:// or http://)')
  expect(message({ url: fromVariable })).toBeUndefined()
  expect(message({ caption: still('x'.repeat(1025)) })).toBe('Must not exceed 1024 characters')
})
