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

test('a link to another bot leads to a flow that is still to be chosen, and says so', () => {
  expect(importBlock({ type: 'Typebot link', options: { typebotId: 'other', groupId: 'g9' } })).toMatchObject({
    kind: 'go-to',
    data: { to: 'flow', flowId: null },
    notes: ['It leads to another bot, which this file does not hold: import that one, and choose its flow.'],
  })
})

test('a link to this bot goes to its group and comes back', () => {
  const { data } = importBlock({ type: 'Typebot link', options: { typebotId: 'current', groupId: 'g1' } })
  expect(data).toMatchObject({ to: 'group', target: { groupId: expect.any(String) }, comesBack: true })
})

test('a jump comes back where it may come to a return, and a return goes back', () => {
  const { flow, report } = importGroups([
    { id: 'g1', title: 'A', blocks: [{ id: 'b1', type: 'Jump', options: { groupId: 'g2' } }] },
    { id: 'g2', title: 'B', blocks: [{ id: 'b2', type: 'Return' }] },
    { id: 'g3', title: 'C', blocks: [{ id: 'b3', type: 'Jump', options: { groupId: 'g4' } }] },
    { id: 'g4', title: 'D', blocks: [{ id: 'b4', type: 'text', content: {} }] },
  ])
  const data = flow.groups.map(({ blocks }) => blocks[0]?.data)
  expect(data).toMatchObject([{ comesBack: true }, { to: 'back' }, { comesBack: false }, {}])
  expect(report.notes.map(({ place }) => place)).toContain('A › Jump')
})
