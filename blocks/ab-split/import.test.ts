import { expect, test } from 'vitest'
import { importBlock, importGroups } from '../../tests/support/typebot'

const items = [
  { id: 'i1', path: 'a', outgoingEdgeId: 'e1' },
  { id: 'i2', path: 'b', outgoingEdgeId: 'e2' },
]

test('an A/B test keeps its percent; without one it is even', () => {
  const percents = (options: object) => {
    const { kind, data } = importBlock({ type: 'AB test', items, options })
    expect(kind).toBe('ab-split')
    return (data.paths as { percent: number }[]).map(({ percent }) => percent)
  }
  expect(percents({ aPercent: 30 })).toEqual([30, 70])
  expect(percents({})).toEqual([50, 50])
  expect(percents({ aPercent: 140 })).toEqual([100, 0])
})

test('edges leave by the path that they left by', () => {
  const { flow } = importGroups(
    [
      { id: 'g1', title: 'A', blocks: [{ id: 'b1', type: 'AB test', options: {}, items: [...items].reverse() }] },
      { id: 'g2', title: 'First', blocks: [] },
      { id: 'g3', title: 'Second', blocks: [] },
    ],
    {
      edges: [
        { id: 'e1', from: {}, to: { groupId: 'g2' } },
        { id: 'e2', from: {}, to: { groupId: 'g3' } },
      ],
    },
  )
  const paths = flow.groups[0]?.blocks[0]?.data.paths as { id: string; label: string }[]
  const ways = flow.edges.map(({ from, to }) => [
    paths.find(({ id }) => id === from.portId)?.label,
    flow.groups.find(({ id }) => id === to.groupId)?.title,
  ])
  expect(ways).toEqual(
    expect.arrayContaining([
      ['A', 'First'],
      ['B', 'Second'],
    ]),
  )
})
