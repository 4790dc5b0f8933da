import { expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { createDocument } from '../../../engine/document/createDocument'
import { largeFlow } from '../../../tests/support/largeFlow'
import { createFlowIndex } from './flowIndex'

const openFlow = (groups: number) => {
  const document = createDocument({ registry })
  document.commands.replaceFlow(largeFlow(groups))
  const index = createFlowIndex(
    () => document.projection(),
    registry,
    (kind) => registry.find(kind)?.title ?? kind,
  )
  const found = (search: string) => index.blocks(search, 1000).map(({ block }) => block.id)
  return { document, index, found }
}

test('blocks are found by their texts, the names of variables in them and their kinds', () => {
  const { found } = openFlow(8)
  expect(found('from g3b1')).toEqual(['g3b1'])
  expect(found('variable 3, how')).toEqual(['g3b1', 'g4b0'])
  expect(found('condition')).toEqual(['g1b4', 'g5b4'])
  expect(found('nothing of that kind')).toEqual([])
})

test('typing on narrows what was found, and going back widens it', () => {
  const { found } = openFlow(30)
  const wide = found('hello from g2')
  expect(found('hello from g21')).toEqual(['g21b0', 'g21b1'])
  expect(found('hello from g2')).toEqual(wide)
  expect(wide.length).toBeGreaterThan(2)
})

test('what is edited is found as it is now', () => {
  const { document, found } = openFlow(6)
  expect(found('hello from g2b1')).toEqual(['g2b1'])
  document.commands.setRichText('g2b1', 'content', [{ type: 'paragraph', children: [{ text: 'Good morning' }] }])
  expect(found('hello from g2b1')).toEqual([])
  expect(found('good morning')).toEqual(['g2b1'])
  document.commands.updateVariable('v4', { name: 'Town' })
  expect(found('town')).toEqual(['g4b1', 'g5b0'])
  document.commands.deleteGroups(['g4'])
  expect(found('town')).toEqual(['g5b0'])
})

test('it reads a large flow bit by bit, ahead of the first search', () => {
  const { document, index, found } = openFlow(200)
  expect(index.prepare(0)).toBe(false)
  while (!index.prepare(1));
  expect(index.prepare(0)).toBe(true)
  expect(found('from g199b1')).toEqual(['g199b1'])
  document.commands.updateVariable('v4', { name: 'Town' })
  expect(index.prepare(0)).toBe(false)
})
