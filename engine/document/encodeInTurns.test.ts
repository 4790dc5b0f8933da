import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { largeFlow } from '../../tests/support/largeFlow'
import { encodeInTurns } from './encodeInTurns'
import { updateOf } from './plainFlow'

/** A document by several clients, with some of it deleted. */
function edited(): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, updateOf(largeFlow(50), registry))
  doc.getMap('groups').delete([...doc.getMap('groups').keys()][3] as string)
  doc.getText('text').insert(0, 'hello')
  doc.getText('text').delete(1, 2)
  return doc
}
const copyOf = (...updates: Uint8Array[]): Y.Doc => {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}
const state = (doc: Y.Doc) => Y.encodeStateAsUpdate(doc)

test('it is the state as it is made at once, with a turn for others after each part', async () => {
  const doc = edited()
  let turns = 0
  const update = await encodeInTurns(doc, async () => void turns++, 100)
  expect(update).toEqual(state(doc))
  const structs = [...doc.store.clients.values()].reduce((sum, own) => sum + own.length, 0)
  expect(turns).toBe(Math.ceil(structs / 100) - 1)
})

test('with what is edited meanwhile, whoever has it and the updates since has everything', async () => {
  const doc = edited()
  const text = doc.getText('text')
  const since: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => since.push(update))
  const update = await encodeInTurns(
    doc,
    async () => {
      // splits and merges structs, and deletes
      text.insert(2, 'ab')
      text.delete(0, 1)
      doc.getMap('groups').delete([...doc.getMap('groups').keys()][0] as string)
    },
    7,
  )
  expect(since.length).toBeGreaterThan(10)
  for (const copy of [copyOf(update, ...since), copyOf(...since, update)]) {
    expect([copy.store.pendingStructs, copy.store.pendingDs]).toEqual([null, null])
    expect(Y.encodeStateVector(copy)).toEqual(Y.encodeStateVector(doc))
    expect(copy.getText('text').toString()).toBe(text.toString())
    expect(copy.getMap('groups').toJSON()).toEqual(doc.getMap('groups').toJSON())
  }
})

test('of an empty document it is the empty update', async () => {
  expect(await encodeInTurns(new Y.Doc(), async () => {})).toEqual(state(new Y.Doc()))
})
