import { expect, test } from 'vitest'
import { plainHeaders, sendableHeaders } from './headers'

const refusal = (name: string, value = 'x') => {
  try {
    return sendableHeaders([[name, value]])
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('names are sent in lower case, repeated ones joined, values in UTF-8 and without space around them', () => {
  expect(
    sendableHeaders([
      [' X-Order ', ' 7 '],
      ['x-order', '8'],
      ['Accept', 'text/html'],
      ['X-Name', 'é'],
      ['X-Tab', 'a\tb'],
      ['x-empty', ''],
    ]),
  ).toEqual({ 'x-order': '7, 8', accept: 'text/html', 'x-name': 'Ã©', 'x-tab': 'a\tb', 'x-empty': '' })
})

test.each(['', 'a b', 'a:b', 'a\r\nb', 'é', 'a'.repeat(257), '(a)', 'a\u0000'])('a name %j can’t be sent', (name) => {
  expect(refusal(name)).toBe('invalid_header')
})

test('a name has up to 256 characters', () => {
  const name = `a${"!#$%&'*+-.^_`|~09"}`.padEnd(256, 'z')
  expect(refusal(name)).toEqual({ [name]: 'x' })
})

test.each(['a\nb', 'a\rb', 'a\u0000', '\u007f', 'a\u0008', 'a\u001f'])('a value %j can’t be sent', (value) => {
  expect(refusal('x-name', value)).toBe('invalid_header')
})

test.each([
  ...['Host', 'connection', 'Content-Length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer'],
  ...['via', 'http2-settings', 'proxy-', 'Proxy-Authorization'],
])('%s is of the connection, and can’t be set', (name) => {
  expect(refusal(name)).toBe('forbidden_header')
  const longer = `x-${name.toLowerCase()}`
  expect(refusal(longer)).toEqual({ [longer]: 'x' })
})

test('a header whose name begins like one of the connection is another', () => {
  for (const name of ['hosts', 'te2', 'viaduct']) expect(refusal(name)).toEqual({ [name]: 'x' })
})

test('received headers that are repeated are joined, and absent ones left out', () => {
  expect(plainHeaders({ a: 'b', c: ['d', 'e'], f: undefined })).toEqual({ a: 'b', c: 'd, e' })
})
