import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { imageDefaults, imageSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const messages = (data: object, value = '') => {
  const program = createProgram(flowAround('image', { ...imageDefaults(), ...data }, { v: value }), registry)
  return replay(program, { replies: [] }, stillRuntime).turns[0]?.messages
}

test('shows the image with its text and link', () => {
  const data = { url: still('https://a.example/b.png'), alt: still('A cat'), link: still('http://a.example') }
  expect(messages(data)).toEqual([
    { kind: 'image', url: 'https://a.example/b.png', alt: 'A cat', link: 'http://a.example', blockId: 'subject' },
  ])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'a.example/b.png',
  '/files/../api/me',
  '//files/aaaabbbbccccdddd',
  '',
])('an address from a variable that is not http(s) is neither shown nor linked: %s', (value) => {
  expect(messages({ url: fromVariable }, value)).toEqual([])
  expect(messages({ url: still('https://a.example/b.png'), link: fromVariable }, value)?.[0]).not.toHaveProperty('link')
})

test('shows a file of this installation, but links to none', () => {
  const file = still('/files/aaaabbbbccccdddd')
  expect(messages({ url: file })?.[0]).toMatchObject({ url: '/files/aaaabbbbccccdddd' })
  expect(imageSchema.safeParse({ ...imageDefaults(), url: file }).success).toBe(true)
  expect(imageSchema.safeParse({ ...imageDefaults(), link: file }).success).toBe(false)
})

test('refuses an address without http(s) in the words of the specification, unless variables make it', () => {
  const message = (url: DynamicValue) => imageSchema.safeParse({ ...imageDefaults(), url }).error?.issues[0]?.message
  expect(message(still('ftp://a.example'))).toBe('Enter a valid URL (must start with https:// or http://)')
  expect(message(still('/files/short'))).toBe('Enter a valid URL (must start with https:// or http://)')
  expect(message(fromVariable)).toBeUndefined()
})
