import { expect, test } from 'vitest'
import { importGroups } from '../../tests/support/typebot'

const edges = [{ id: 'e1', from: { eventId: 's' }, to: { groupId: 'g1' } }]
const group = { id: 'g1', title: 'Hello', blocks: [] }

test('a start event becomes a group with the start, at its place, connected', () => {
  const event = { id: 's', type: 'start', outgoingEdgeId: 'e1', graphCoordinates: { x: 5, y: -600 } }
  const { flow } = importGroups([group], { edges, events: [event] })
  expect(flow.groups[0]).toMatchObject({
    title: 'Start',
    position: { x: 5, y: -600 },
    blocks: [{ kind: 'start', data: {} }],
  })
  expect(flow.edges).toEqual([
    { from: { blockId: flow.groups[0]?.blocks[0]?.id, portId: 'next' }, to: { groupId: flow.groups[1]?.id } },
  ])
})

test('the start block of an older file stays in its group', () => {
  const { flow } = importGroups(
    [{ id: 'g0', title: 'Begin', blocks: [{ id: 's', type: 'start', outgoingEdgeId: 'e1' }] }, group],
    { edges },
  )
  expect(flow.groups[0]).toMatchObject({ title: 'Begin', blocks: [{ kind: 'start' }] })
  expect(flow.edges).toHaveLength(1)
})

test('a file without a start says so', () => {
  expect(importGroups([group]).report.notes).toContainEqual({
    level: 'warning',
    message: 'The file has no start: add one and connect it.',
  })
})
