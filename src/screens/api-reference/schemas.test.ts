import { expect, test } from 'vitest'
import { exampleOf, fieldsOf, typeOf } from './schemas'

const contact = {
  type: 'object',
  properties: {
    gid: { type: 'string', description: 'its id' },
    tags: { type: 'array', items: { type: 'string' } },
    status: { enum: ['new', 'won'] },
    owner: { anyOf: [{ type: 'object', properties: { name: { type: 'string' } } }, { type: 'null' }] },
    limit: { type: 'integer', default: 50 },
  },
  required: ['gid', 'status', 'limit'],
}

test('an object is listed field by field, with those within it, also where it may be null', () => {
  expect(fieldsOf(contact)).toMatchObject([
    { name: 'gid', type: 'string', required: true, description: 'its id' },
    { name: 'tags', type: 'string[]', required: false },
    { name: 'status', type: '"new" | "won"' },
    { name: 'owner', type: 'object | null', fields: [{ name: 'name' }] },
    { name: 'limit', type: 'integer' },
  ])
})

test('a list is listed as what it holds', () => {
  expect(fieldsOf({ type: 'array', items: contact }).map(({ name }) => name)).toContain('status')
  expect(typeOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } })).toBe('(string | null)[]')
})

test('a schema that holds itself ends', () => {
  const tree: Parameters<typeof fieldsOf>[0] & { properties: Record<string, unknown> } = { properties: {} }
  tree.properties = { child: tree }
  expect(JSON.stringify(fieldsOf(tree)).length).toBeLessThan(1_000)
})

test('an example has what is required, and defaults', () => {
  expect(exampleOf(contact)).toEqual({ gid: 'gid', status: 'new', limit: 50 })
})
