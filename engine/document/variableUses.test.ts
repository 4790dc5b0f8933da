import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow } from '../flow/schema'
import { createDocument } from './createDocument'
import { variableUses } from './variableUses'

const text = (id: string, variable_id: string) => ({
  id,
  kind: 'text',
  version: 0,
  data: { content: [{ type: 'paragraph', children: [{ text: '', variable: true, variable_id }] }] },
})
const set = (id: string, variableId: string) => ({
  id,
  kind: 'set-variable',
  version: 1,
  data: { variableId, mode: 'clear', value: { type: 'static', value: '' }, takeTo: null },
})

test('names the blocks that read and set a variable, in order; a block of an unknown shape names nothing', () => {
  const document = createDocument({ registry })
  const broken = { id: 'x', kind: 'set-variable', version: 1, data: { value: null } }
  document.commands.replaceFlow({
    ...emptyFlow(),
    variables: [{ id: 'v', name: 'Name', value: null }],
    groups: [
      { id: 'g1', title: '', position: { x: 0, y: 0 }, blocks: [text('a', 'v'), set('b', 'v'), broken] },
      { id: 'g2', title: '', position: { x: 0, y: 0 }, blocks: [text('c', 'other'), text('d', 'v')] },
    ],
  })
  const uses = variableUses(document.projection(), registry)
  expect(uses.get('v')).toEqual([
    { blockId: 'a', groupId: 'g1', sets: false },
    { blockId: 'b', groupId: 'g1', sets: true },
    { blockId: 'd', groupId: 'g2', sets: false },
  ])
  document.commands.deleteBlocks(['a'])
  expect(variableUses(document.projection(), registry).get('v')).toHaveLength(2)
})
