import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createPresence } from './presence'
import { meeting, people } from './testSupport'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what one does is seen by the others', () => {
  const { here, there } = meeting()
  there.presence.tell({ cursor: { x: 3, y: 4 }, selection: { ids: ['g1'], count: 1 } })
  const [peer] = here.presence.peers().values()
  expect(peer).toMatchObject({ person: people.ada, cursor: { x: 3, y: 4 }, selection: { ids: ['g1'] }, field: null })
})

test('nothing is told while nobody is there, and all of it once somebody comes', () => {
  const awareness = new Awareness(new Y.Doc())
  const alone = createPresence(awareness, people.ada)
  const updates = vi.fn()
  awareness.on('update', updates)
  for (let x = 0; x < 5; x++) alone.tell({ cursor: { x, y: 0 } })
  vi.advanceTimersByTime(500)
  expect(updates).not.toHaveBeenCalled()

  const { here, join } = meeting()
  here.presence.tell({ view: { x: 1, y: 2, zoom: 1, width: 800, height: 600 } })
  vi.advanceTimersByTime(500)
  const late = join(people.vera)
  vi.advanceTimersByTime(500)
  expect(late.presence.peers().get(here.presence.clientId)?.view).toMatchObject({ x: 1, y: 2 })
})

test('moves in a row are told at most every 50 ms, the last of them always, and the same never twice', () => {
  const { here, there } = meeting()
  vi.advanceTimersByTime(500)
  const before = there.told()
  for (let x = 1; x <= 30; x++) {
    there.presence.tell({ cursor: { x, y: 0 } })
    vi.advanceTimersByTime(10)
  }
  vi.advanceTimersByTime(200)
  expect(there.told() - before).toBeLessThanOrEqual(7)
  expect(here.presence.peers().get(there.presence.clientId)?.cursor).toEqual({ x: 30, y: 0 })
  const after = there.told()
  there.presence.tell({ cursor: { x: 30, y: 0 } })
  vi.advanceTimersByTime(200)
  expect(there.told()).toBe(after)
})

test('somebody with two tabs is one person, oneself comes first, and the list stays the same while people move', () => {
  const { here, there, join } = meeting()
  const again = join(people.ada)
  const vera = join(people.vera)
  expect(here.presence.people().map(({ person, me, clientIds }) => [person.name, me, clientIds.length])).toEqual([
    ['Bo Diaz', true, 1],
    ['Ada Lovelace', false, 2],
    ['Vera Viewer', false, 1],
  ])
  const heard = vi.fn()
  here.presence.subscribePeople(heard)
  const list = here.presence.people()
  there.presence.tell({ cursor: { x: 1, y: 1 } })
  vi.advanceTimersByTime(500)
  expect(here.presence.people()).toBe(list)
  expect(heard).not.toHaveBeenCalled()

  vera.leave()
  again.leave()
  expect(here.presence.people().map(({ person }) => person.name)).toEqual(['Bo Diaz', 'Ada Lovelace'])
  expect(heard).toHaveBeenCalledTimes(2)
})
