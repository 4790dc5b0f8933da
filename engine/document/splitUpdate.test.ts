import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { seededRandom } from '../../tests/support/documents'
import { largeFlow } from '../../tests/support/largeFlow'
import { readDocument, updateOf } from './plainFlow'
import { splitUpdate } from './splitUpdate'

function apply(pieces: readonly Uint8Array[]): { doc: Y.Doc; early: number } {
  const doc = new Y.Doc()
  let early = 0
  for (const piece of pieces) {
    Y.applyUpdate(doc, piece)
    if (doc.store.pendingStructs || doc.store.pendingDs) early += 1
  }
  return { doc, early }
}

test('a large flow in pieces is the same document', () => {
  const whole = updateOf(largeFlow(100), registry)
  const pieces = splitUpdate(whole, 500)
  expect(pieces.length).toBeGreaterThan(5)
  const { doc, early } = apply(pieces)
  expect(early).toBe(0)
  expect(Y.encodeStateAsUpdate(doc)).toEqual(whole)
  expect(readDocument(doc, registry)).toEqual(readDocument(apply([whole]).doc, registry))
})

test.each([1, 2, 3, 4, 5])('what several people wrote into one another comes in order, seed %i', (seed) => {
  const random = seededRandom(seed)
  const at = (length: number) => Math.floor(random() * length)
  const peers = Array.from({ length: 4 }, () => new Y.Doc())
  for (let n = 0; n < 2_000; n++) {
    const peer = peers[at(4)] as Y.Doc
    const text = peer.getText('t')
    const list = peer.getArray<Y.Map<unknown>>('l')
    if (random() < 0.5) text.insert(at(text.length + 1), 'abc')
    else if (random() < 0.3 && text.length > 3) text.delete(at(text.length - 2), 2)
    else if (random() < 0.6) list.insert(at(list.length + 1), [new Y.Map([['n', n]])])
    else if (list.length > 0) list.get(at(list.length)).set('n', n)
    if (random() < 0.2) Y.applyUpdate(peers[at(4)] as Y.Doc, Y.encodeStateAsUpdate(peer))
  }
  for (const peer of peers) Y.applyUpdate(peers[0] as Y.Doc, Y.encodeStateAsUpdate(peer))
  const whole = Y.encodeStateAsUpdate(peers[0] as Y.Doc)
  const { doc, early } = apply(splitUpdate(whole, 10))
  expect(early).toBe(0)
  expect(doc.getText('t').toString()).toBe(peers[0]?.getText('t').toString())
  expect(doc.getArray('l').toJSON()).toEqual(peers[0]?.getArray('l').toJSON())
})
