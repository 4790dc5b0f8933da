import { expect, test } from 'vitest'
import { convert, print, read, typeOf, valueTypes } from './typedValue'

test.each([
  ['12', 'number', { value: 12 }],
  ['x', 'number', { message: 'Enter a valid number' }],
  ['["a", 1]', 'list', { value: ['a', 1] }],
  ['{"a": 1}', 'list', { problem: 'notList' }],
  ['[', 'list', { problem: 'notList' }],
  ['null', 'object', { problem: 'notObject' }],
  ['{"a": [1]}', 'object', { value: { a: [1] } }],
  ['12', 'text', { value: '12' }],
  ['x'.repeat(70_000), 'text', { problem: 'tooLarge' }],
] as const)('%.20s as a %s', (text, type, typed) => {
  expect(read(text, type)).toEqual(typed)
})

test('another type keeps what it can, and every value is printed and read as what it is', () => {
  expect(convert('12', 'number')).toBe(12)
  expect(convert(['a'], 'text')).toBe('["a"]')
  expect(convert('tea', 'list')).toEqual(['tea'])
  for (const type of valueTypes) {
    const value = convert('a', type)
    expect(typeOf(value)).toBe(type)
    if (type !== 'unset' && type !== 'yes-no') expect(read(print(value), type)).toEqual({ value })
  }
})
