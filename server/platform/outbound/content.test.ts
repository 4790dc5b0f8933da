import { expect, test } from 'vitest'
import { readContent } from './content'

const bytes = (text: string) => new TextEncoder().encode(text)

/** What is kept of an answer of this type: a text, or bytes. */
const read = (type: string | null, body: string | Uint8Array, { max = 1_000, cut = false } = {}) =>
  readContent(
    {
      headers: type === null ? {} : { 'content-type': type },
      body: typeof body === 'string' ? bytes(body) : body,
      cut,
    },
    max,
  )

test.each([
  ['application/json', '{"a":[1]}', { a: [1] }],
  ['application/problem+json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['Application/JSON', '1', 1],
  ['application/json', '"text"', 'text'],
  // what looks like JSON is read as it, whatever it says of itself
  ['text/plain', ' \n{"a":1}', { a: 1 }],
  ['text/html', '[1,2]', [1, 2]],
  [null, '{"a":1}', { a: 1 }],
  ['text/plain', '12', '12'],
  // and what is none stays text
  ['application/json', '{"a":', '{"a":'],
  ['text/plain', 'a [1]', 'a [1]'],
  ['application/x-www-form-urlencoded', 'a=1', 'a=1'],
  ['application/xml', '<a/>', '<a/>'],
  ['image/svg+xml', '<svg/>', '<svg/>'],
])('of an answer of type %s that says %s the value is kept', (type, text, body) => {
  expect(read(type, text)).toEqual({ body })
})

test('an answer without a body is nothing', () => {
  expect(read('application/json', '')).toEqual({ body: null })
})

test('a file is not kept, and named by its type', () => {
  const note = (type: string) => `The answer is a file (${type}): it was not kept.`
  expect(read('image/png', 'x')).toEqual({ body: null, note: note('image/png') })
  expect(read('application/pdf; a=b', 'x')).toEqual({ body: null, note: note('application/pdf') })
  for (const type of ['application/jsonp', 'xtext/plain', 'application/xmlx'])
    expect(read(type, 'x'), type).toEqual({ body: null, note: note(type) })
  expect(read(null, new Uint8Array([65, 0, 66]))).toEqual({ body: null, note: note('of unknown type') })
  // looked for at its beginning
  const late = (at: number) => Uint8Array.from({ length: 1_200 }, (_, index) => (index === at ? 0 : 65))
  expect(read(null, late(999), { max: 2_000 })).toHaveProperty('note')
  expect(read(null, late(1_000), { max: 2_000 })).not.toHaveProperty('note')
})

test('a text is read in the character set that it names, and in UTF-8 if nobody knows that', () => {
  const latin = new Uint8Array([0xe9])
  expect(read('text/plain; charset=iso-8859-1', latin)).toEqual({ body: 'é' })
  expect(read('text/plain; charset="ISO-8859-1"', latin)).toEqual({ body: 'é' })
  expect(read('text/plain', 'é')).toEqual({ body: 'é' })
  expect(read('text/plain; charset=nonsense', 'é')).toEqual({ body: 'é' })
})

test('an answer that is too long is cut and stays text', () => {
  const note = (length: number) => `The answer was too large: the first ${length} characters were kept, as text.`
  expect(read('application/json', '[1,2]', { max: 5 })).toEqual({ body: [1, 2] })
  expect(read('application/json', '[1,2]', { max: 4 })).toEqual({ body: '[1,2', note: note(4) })
  expect(read('application/json', '[1,2]', { cut: true })).toEqual({ body: '[1,2]', note: note(5) })
})

test('JSON that is nested 64 deep is read; deeper it stays text', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(read('application/json', nested(64)).body).not.toBe(nested(64))
  expect(read('application/json', nested(65))).toEqual({ body: nested(65) })
})
