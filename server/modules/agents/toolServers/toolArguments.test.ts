import { expect, test } from 'vitest'
import type { Json } from '../../../../engine/values/json'
import { toolArguments } from './toolArguments'

const problemOf = (schema: Record<string, Json>, input: unknown) => {
  const read = toolArguments(schema, input)
  return 'problem' in read ? read.problem : null
}
const schema = {
  type: 'object',
  properties: {
    order: { type: 'string', pattern: '^(a+)+$' },
    count: { type: ['integer', 'null'] },
    size: { enum: ['S', 'L'] },
    tags: { type: 'array' },
    any: {},
  },
  required: ['order'],
  additionalProperties: false,
}

test.each<[input: unknown, problem: string | null]>([
  [{ order: '17', count: 2, size: 'L', tags: [], any: { a: 1 } }, null],
  // patterns of foreign schemas are not run
  [{ order: `${'a'.repeat(40)}!`, count: null }, null],
  [{}, 'order: Enter a value'],
  [{ order: null }, 'order: Enter a value'],
  [{ order: 17 }, 'order: Must be of the type string'],
  [{ order: '17', count: 1.5 }, 'count: Must be of the type integer or null'],
  [{ order: '17', size: 'XL' }, 'size: Must be one of S, L'],
  [{ order: '17', tags: 'a' }, 'tags: Must be of the type array'],
  [{ order: '17', toString: 1 }, 'toString: There is no such argument'],
  [['17'], 'The arguments must be an object.'],
])('of %j it says %j', (input, problem) => expect(problemOf(schema, input)).toBe(problem))

test('a schema that says nothing takes any object', () => {
  expect(problemOf({}, { a: 1 })).toBeNull()
  expect(problemOf({ properties: 'x', required: 'y' }, { a: 1 })).toBeNull()
})
