import { expect, test } from 'vitest'
import { importGroups } from '../../tests/support/typebot'

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
  expect(plain.data).toEqual({ target: { groupId: plain.group } })
  const exact = jump({ groupId: 'g2', blockId: 'b2' })
  expect(exact.data).toEqual({ target: { groupId: exact.group, blockId: exact.block } })
})

test('a block counts more than the group that the file says it is in', () => {
  const { data, group, block } = jump({ groupId: 'g1', blockId: 'b2' })
  expect(data).toEqual({ target: { groupId: group, blockId: block } })
})

test('a jump to nowhere has no target and says so; one to a block that is gone leads to its group', () => {
  expect(jump({})).toMatchObject({ data: { target: null }, notes: ['It jumps to nowhere: choose a group.'] })
  const gone = jump({ groupId: 'g2', blockId: 'gone' })
  expect(gone.data).toEqual({ target: { groupId: gone.group } })
  expect(gone.notes).toEqual(['The block that it jumped to is gone: it jumps to its group.'])
})
