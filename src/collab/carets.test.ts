import { expect, test, vi } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { personOf } from '../../engine/document/person'
import { createCarets } from './carets'
import { createPresence } from './presence'

const ada = personOf({ id: 'ada', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })

function twoPeople() {
  const [mine, theirs] = [new Awareness(new Y.Doc()), new Awareness(new Y.Doc())]
  createPresence(mine, personOf({ id: 'bo', first_name: 'Bo', last_name: '', email: 'bo@example.com' }))
  createPresence(theirs, ada)
  theirs.on('update', () => applyAwarenessUpdate(mine, encodeAwarenessUpdate(theirs, [theirs.clientID]), 'network'))
  return { mine, theirs, here: createCarets(mine), there: createCarets(theirs) }
}

test('somebody’s caret is seen in its text by their name, and nowhere once they leave it', () => {
  vi.useFakeTimers()
  const { here, there } = twoPeople()
  there.set({ place: 'b/content', range: { anchor: 1, focus: 2 } })
  expect(here.inText('b/content')).toMatchObject([{ name: 'Ada Lovelace', color: ada.color, range: { focus: 2 } }])
  expect(here.inText('b/prompt')).toEqual([])
  there.set(null)
  vi.advanceTimersByTime(300)
  expect(here.inText('b/content')).toEqual([])
  vi.useRealTimers()
})

test('moves in a row are told at most every so often, the last of them always', () => {
  vi.useFakeTimers()
  const { here, there } = twoPeople()
  const heard = vi.fn()
  here.subscribe(heard)
  for (let at = 0; at < 50; at++) there.set({ place: 't', range: at })
  vi.advanceTimersByTime(300)
  expect(heard).toHaveBeenCalledTimes(2)
  expect(here.inText('t')).toMatchObject([{ range: 49 }])
  vi.useRealTimers()
})

test('what is no caret of a named person is not there, and other news of presence wake nobody', () => {
  const { mine, theirs, here } = twoPeople()
  const heard = vi.fn()
  here.subscribe(heard)
  theirs.setLocalStateField('pointer', { x: 1 })
  theirs.setLocalStateField('caret', { place: 7 })
  theirs.setLocalState({ caret: { place: 't', range: 0 } })
  expect(here.inText('t')).toEqual([])
  expect(heard).not.toHaveBeenCalled()
  mine.destroy()
})
