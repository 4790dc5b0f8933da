import { expect, test, vi } from 'vitest'
import { createCarets } from './carets'
import { meeting, people } from './testSupport'

const caretsOf = ({ here, there }: ReturnType<typeof meeting>) => ({
  here: createCarets(here.presence),
  there: createCarets(there.presence),
})

test('somebody’s caret is seen in its text by their name, and nowhere once they leave it', () => {
  vi.useFakeTimers()
  const { here, there } = caretsOf(meeting())
  there.set({ place: 'b/content', range: { anchor: 1, focus: 2 } })
  const { name, color } = people.ada
  expect(here.inText('b/content')).toMatchObject([{ name, color, range: { focus: 2 } }])
  expect(here.inText('b/prompt')).toEqual([])
  there.set(null)
  vi.advanceTimersByTime(300)
  expect(here.inText('b/content')).toEqual([])
  vi.useRealTimers()
})

test('who edits a field is seen there, once however many tabs they have it open in', () => {
  vi.useFakeTimers()
  const room = meeting()
  const second = room.join(people.ada)
  const { here } = caretsOf(room)
  room.there.presence.tell({ field: 'b/label' })
  second.presence.tell({ field: 'b/label' })
  const before = here.inField('b/label')
  expect(before).toMatchObject([{ name: people.ada.name }])
  vi.advanceTimersByTime(300)
  room.there.presence.tell({ cursor: { x: 1, y: 1 } })
  expect(here.inField('b/label')).toBe(before)
  vi.useRealTimers()
})

test('oneself in a second tab is nobody else who edits', () => {
  const room = meeting()
  const second = createCarets(room.join(people.bo).presence)
  const { here } = caretsOf(room)
  second.set({ place: 'b/content', range: { anchor: 1, focus: 2 } })
  expect([here.inText('b/content'), here.inField('b/content')]).toEqual([[], []])
})

test('moves wake whoever looks at carets only when a caret moved', () => {
  const room = meeting()
  const { here } = caretsOf(room)
  const heard = vi.fn()
  here.subscribe(heard)
  room.there.awareness.setLocalStateField('cursor', { x: 1, y: 2 })
  room.there.awareness.setLocalStateField('caret', { place: 7 })
  room.there.awareness.setLocalState({ caret: { place: 't', range: 0 } })
  expect(here.inText('t')).toEqual([])
  expect(heard.mock.calls.length).toBeLessThanOrEqual(1)
})
