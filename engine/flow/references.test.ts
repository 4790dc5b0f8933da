import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { createCountingIds } from './ids'
import { renameReferences } from './references'
import type { Block } from './schema'

test('every field in which a kind names a variable is taken for a reference', () => {
  const found: string[] = []
  for (const { kind, defaults, reads, writes } of registry.kinds) {
    const used = (data: unknown) => {
      try {
        return [...reads(data), ...writes(data)]
      } catch {
        return []
      }
    }
    const data = defaults(createCountingIds('i')) as Block['data']
    for (const field of Object.keys(data)) {
      const named = { ...data, [field]: 'old' }
      if (!used(named).includes('old')) continue
      found.push(`${kind}.${field}`)
      expect(used(renameReferences(named, (id) => (id === 'old' ? 'new' : id))), field).toContain('new')
    }
  }
  expect(found).toEqual(expect.arrayContaining(['text-input.saveTo', 'intent.saveName', 'wait.variableId']))
})

test('a text that reads like an id stays, and so does what names something of another flow', () => {
  const data = { label: 'old', id: 'old', flowGroupId: 'old', inputs: [{ toVariable: 'old', variable_id: 'old' }] }
  expect(renameReferences(data, () => 'new')).toEqual({
    label: 'old',
    id: 'old',
    flowGroupId: 'old',
    inputs: [{ toVariable: 'old', variable_id: 'new' }],
  })
})

test('null takes an id off a list and leaves a single one', () => {
  expect(renameReferences({ intents: ['a', 'b'], saveTo: 'a' }, (id) => (id === 'a' ? null : id))).toEqual({
    intents: ['b'],
    saveTo: 'a',
  })
})
