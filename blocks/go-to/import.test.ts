import { expect, test } from 'vitest'
import { importBlock, importGroups } from '../../tests/support/typebot'
import { goToDefaults } from './schema'

function jump(options: unknown) {
  const { flow, report } = importGroups([
    { id: 'g1', title: 'A', blocks: [{ id: 'b1', type: 'Jump', options }] },
    { id: 'g2', title: 'B', blocks: [{ id: 'b2', type: 'text', content: {} }] },
  ])
  const [from, to] = flow.groups
  return {
    data: from?.blocks[0]?.data,
    group: to?.id,
    block: to?.blocks[0]?.id,
    notes: report.notes.filter((note) => note.place).map((note) => note.message),
  }
}

test('a jump leads to the group, or to the block in it', () => {
  const plain = jump({ groupId: 'g2' })
  expect(plain.data).toEqual({ ...goToDefaults(), target: { groupId: plain.group } })
  const exact = jump({ groupId: 'g2', blockId: 'b2' })
  expect(exact.data).toEqual({ ...goToDefaults(), target: { groupId: exact.group, blockId: exact.block } })
})

test('a block counts more than the group that the file says it is in', () => {
  const { data, group, block } = jump({ groupId: 'g1', blockId: 'b2' })
  expect(data).toEqual({ ...goToDefaults(), target: { groupId: group, blockId: block } })
})

test('a jump to nowhere has no target and says so; one to a block that is gone leads to its group', () => {
  expect(jump({})).toMatchObject({ data: { target: null }, notes: ['It jumps to nowhere: choose a group.'] })
  const gone = jump({ groupId: 'g2', blockId: 'gone' })
  expect(gone.data).toEqual({ ...goToDefaults(), target: { groupId: gone.group } })
  expect(gone.notes).toEqual(['The block that it jumped to is gone: it jumps to its group.'])
})

test('a link to another bot leads to a flow that is still to be chosen, and says so; one to this bot is a jump', () => {
  expect(importBlock({ type: 'Typebot link', options: { typebotId: 'other', groupId: 'g9' } })).toMatchObject({
    kind: 'go-to',
    data: { to: 'flow', flowId: null },
    notes: ['It leads to another bot, which this file does not hold: import that one, and choose its flow.'],
  })
  const { data } = importBlock({ type: 'Typebot link', options: { typebotId: 'current', groupId: 'g1' } })
  expect(data).toMatchObject({ to: 'group', target: { groupId: expect.any(String) } })
})
