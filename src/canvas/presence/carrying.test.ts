import { expect, test } from 'vitest'
import { nothingShared, type Peer, type Place } from '../../collab/peerState'
import { people } from '../../collab/testSupport'
import { createCanvasStore, draggedNow } from '../canvasStore'
import { createCarrying } from './carrying'

const peer = (clientId: number, drag: Place[] | null): [number, Peer] => [
  clientId,
  { ...nothingShared, clientId, person: people.ada, drag },
]
const seen = { area: { x: 0, y: 0, width: 1000, height: 800 }, zoom: 1 }
const at = (elapsed: number) => ({ seen, elapsed, still: false })
const atOnce = { seen, elapsed: 16, still: true }

test('a group that somebody drags glides to where they hold it, and arrives', () => {
  const carrying = createCarrying(() => true)
  carrying.step(new Map([peer(1, [{ id: 'g', x: 0, y: 0 }])]), at(16))
  const further = new Map([peer(1, [{ id: 'g', x: 100, y: 0 }])])
  const first = carrying.step(further, at(16))
  expect(first.moving).toBe(true)
  expect(first.places.get('g')?.x).toBeGreaterThan(5)
  expect(first.places.get('g')?.x).toBeLessThan(100)
  let steps = 1
  while (carrying.step(further, at(16)).moving) steps += 1
  expect(carrying.step(further, at(16)).places.get('g')).toEqual({ x: 100, y: 0 })
  expect(steps).toBeLessThan(40)
})

test('the map stays the same while nobody moves, and is empty once all have dropped', () => {
  const carrying = createCarrying(() => true)
  const peers = new Map([peer(1, [{ id: 'g', x: 1, y: 2 }])])
  const { places } = carrying.step(peers, atOnce)
  expect(carrying.step(peers, atOnce).places).toBe(places)
  expect(carrying.step(new Map([peer(1, null)]), atOnce).places.size).toBe(0)
})

test('of two who hold the same group everybody else sees the same one, and groups that are gone are not carried', () => {
  const carrying = createCarrying((id) => id !== 'gone')
  const both = [
    peer(7, [{ id: 'g', x: 7, y: 7 }]),
    peer(3, [
      { id: 'g', x: 3, y: 3 },
      { id: 'gone', x: 0, y: 0 },
    ]),
  ]
  for (const order of [both, [...both].reverse()]) {
    const { places } = carrying.step(new Map(order), atOnce)
    expect([...places]).toEqual([['g', { x: 7, y: 7 }]])
  }
})

test('what one drags oneself stays in one’s own hand', () => {
  const store = createCanvasStore()
  const carried = new Map([
    ['a', { x: 1, y: 1 }],
    ['b', { x: 2, y: 2 }],
  ])
  store.setState({ carried })
  expect(draggedNow(store.getState())).toBe(carried)
  store.setState({ moving: new Map([['a', { x: 9, y: 9 }]]) })
  const drawn = draggedNow(store.getState())
  expect([...drawn]).toEqual([
    ['a', { x: 9, y: 9 }],
    ['b', { x: 2, y: 2 }],
  ])
  expect(draggedNow(store.getState())).toBe(drawn)
})
