import { expect, test } from 'vitest'
import { nothingShared, type Peer, type SharedState } from '../../collab/peerState'
import { people } from '../../collab/testSupport'
import { leadsTo, tabToFollow } from './follow'

const view = { x: 0, y: 0, zoom: 1, width: 800, height: 600 }
const peersOf = (states: Record<number, Partial<SharedState>>) =>
  new Map<number, Peer>(
    Object.entries(states).map(([id, state]) => [
      Number(id),
      { ...nothingShared, clientId: Number(id), person: people.ada, ...state },
    ]),
  )

test('a view comes from another by however many between them, and a ring of others ends the search', () => {
  const peers = peersOf({
    1: { following: 2 },
    2: { following: 3 },
    3: { following: null },
    4: { following: 5 },
    5: { following: 4 },
  })
  expect(leadsTo(peers, 1, 3)).toBe(true)
  expect(leadsTo(peers, 3, 1)).toBe(false)
  expect(leadsTo(peers, 4, 3)).toBe(false)
})

test('of somebody’s tabs the one with the pointer over the canvas is followed, none that shows no canvas', () => {
  const peers = peersOf({ 1: {}, 2: { view }, 3: { view, cursor: { x: 1, y: 1 } } })
  expect(tabToFollow({ clientIds: [1, 2, 3] }, peers, 9)).toBe(3)
  expect(tabToFollow({ clientIds: [1, 2] }, peers, 9)).toBe(2)
  expect(tabToFollow({ clientIds: [1] }, peers, 9)).toBeNull()
})

test('who follows oneself, be it through others, can’t be followed', () => {
  const peers = peersOf({ 1: { view, following: 2 }, 2: { view, following: 9 } })
  expect(tabToFollow({ clientIds: [1] }, peers, 9)).toBeNull()
})
