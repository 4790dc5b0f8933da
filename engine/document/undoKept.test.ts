import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import {
  choiceBlock,
  documentOf,
  flowWith,
  noteBlock,
  replica,
  seededRandom,
  sync,
  testRegistry,
} from '../../tests/support/documents'
import type { RichText } from '../values/richText'
import { createDocument } from './createDocument'
import type { FlowDocument } from './flowDocument'
import type { KeptUndo } from './undo'

const plain = (document: FlowDocument, blockId: string) =>
  (document.projection().blocks.get(blockId)?.data.content as unknown as RichText | undefined)
    ?.map((paragraph) => paragraph.children.map((child) => child.text).join(''))
    .join('\n')

const textOf = (document: FlowDocument, blockId: string) => document.text(blockId, 'content') as Y.XmlText
const paragraphs = (document: FlowDocument, blockId: string): Y.XmlText[] =>
  (textOf(document, blockId).toDelta() as { insert: Y.XmlText }[]).map(({ insert }) => insert)
/** One step of typing. */
const type = (document: FlowDocument, run: () => void) => {
  document.undo.stopCapturing()
  document.doc.transact(run, document.typingOrigin)
  document.undo.stopCapturing()
}
const firstOf = (document: FlowDocument, blockId = 'a') => paragraphs(document, blockId)[0] as Y.XmlText

/** What the server sends to a client that loads the document: without deleted content. */
function served(document: FlowDocument): Y.Doc {
  const [server, doc] = [new Y.Doc(), new Y.Doc()]
  Y.applyUpdate(server, Y.encodeStateAsUpdate(document.doc))
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(server))
  return doc
}

const keptOf = (document: FlowDocument): KeptUndo | null => JSON.parse(JSON.stringify(document.undo.keep(100)))

/** The document in a reloaded tab. */
function reloaded(document: FlowDocument, kinds = testRegistry): FlowDocument {
  const again = createDocument({ doc: served(document), registry: kinds })
  const kept = keptOf(document)
  if (kept) again.undo.restore(kept)
  return again
}

describe('undo that outlives its document in memory', () => {
  test('takes back and does again what was done before, commands and typing alike, with their names', () => {
    const before = documentOf(flowWith({ g: [noteBlock('a', 'Hello')] }))
    before.commands.setGroupTitle('g', 'Mine')
    type(before, () => firstOf(before).insert(5, ' there'))
    type(before, () => firstOf(before).delete(0, 5))
    const after = reloaded(before)
    expect(after.history()).toEqual(before.history())
    const seen = [plain(after, 'a')]
    for (let n = 0; n < 2; n++) {
      after.undo.undo()
      seen.push(plain(after, 'a'))
    }
    expect(seen).toEqual([' there', 'Hello there', 'Hello'])
    after.undo.undo()
    expect(after.projection().groups.get('g')?.title).toBe('Group g')
    expect(after.undo.canUndo()).toBe(false)
    for (let n = 0; n < 3; n++) after.undo.redo()
    expect([plain(after, 'a'), after.projection().groups.get('g')?.title]).toEqual([' there', 'Mine'])
  })

  test('brings back a paragraph that was deleted with its words', () => {
    const before = documentOf(flowWith({ g: [noteBlock('a', 'One\nTwo\nThree')] }))
    type(before, () => textOf(before, 'a').delete(1, 1))
    const after = reloaded(before)
    expect(plain(after, 'a')).toBe('One\nThree')
    after.undo.undo()
    expect(plain(after, 'a')).toBe('One\nTwo\nThree')
    after.undo.redo()
    expect(plain(after, 'a')).toBe('One\nThree')
  })

  test('leaves alone what a peer has done meanwhile, and reaches that peer', () => {
    const before = documentOf(flowWith({ g: [noteBlock('a', 'Hello'), noteBlock('b', 'x')] }))
    type(before, () => firstOf(before).delete(0, 4))
    before.commands.setGroupTitle('g', 'Mine')
    const kept = keptOf(before)
    const peer = createDocument({ doc: served(before), registry: testRegistry })
    firstOf(peer).insert(1, '!')
    peer.commands.setGroupTitle('g', 'Theirs')
    peer.commands.addBlock('g', 2, noteBlock('c', 'theirs'))
    const after = createDocument({ doc: served(peer), registry: testRegistry })
    after.undo.restore(kept as KeptUndo)
    after.undo.undo()
    after.undo.undo()
    sync(after, peer)
    for (const document of [after, peer]) {
      expect(plain(document, 'a')).toBe('Hello!')
      expect(document.projection().groups.get('g')).toMatchObject({ title: 'Theirs', blockIds: ['a', 'b', 'c'] })
    }
  })

  test('is nothing where the document does not have what it builds on, or has been worked on already', () => {
    const before = documentOf(flowWith({ g: [noteBlock('a', 'Hello')] }))
    const earlier = served(before)
    type(before, () => firstOf(before).insert(5, ' there'))
    const kept = keptOf(before) as KeptUndo
    const older = createDocument({ doc: earlier, registry: testRegistry })
    older.undo.restore(kept)
    expect(older.undo.canUndo()).toBe(false)
    const busy = replica(before)
    busy.commands.setGroupTitle('g', 'New')
    busy.undo.restore(kept)
    expect(busy.history().done).toHaveLength(1)
  })

  test('keeps the newest hundred steps', () => {
    const before = documentOf(flowWith({ g: [noteBlock('a')] }))
    for (let n = 0; n < 130; n++) before.commands.setGroupTitle('g', `Title ${n}`)
    const after = reloaded(before)
    expect(after.history().done).toHaveLength(100)
    while (after.undo.canUndo()) after.undo.undo()
    expect(after.projection().groups.get('g')?.title).toBe('Title 29')
  })

  test('ends where a secret stood in plain text', () => {
    const before = createDocument({ registry })
    const http = registry.get('http-request')
    const data = http.defaults(() => 'i')
    const block = { id: 'h', kind: 'http-request', version: http.migrations.length, data }
    before.commands.addGroup({ id: 'g', title: 'G', position: { x: 0, y: 0 }, blocks: [block] })
    const bearer = (token: string) => ({
      ...data,
      auth: { ...data.auth, type: 'bearer', token: { type: 'static', value: token } },
    })
    before.commands.setBlockData('h', bearer('sk-very-secret-token'))
    before.commands.setGroupTitle('g', 'One')
    before.commands.setBlockData('h', bearer(''))
    before.commands.setGroupTitle('g', 'Two')
    before.commands.setGroupTitle('g', 'Three')
    expect(JSON.stringify(before.undo.keep(100))).not.toContain('sk-very-secret')
    expect(before.undo.keep(100)?.done).toHaveLength(2)
    const after = reloaded(before, registry)
    while (after.undo.canUndo()) after.undo.undo()
    expect(after.projection().groups.get('g')?.title).toBe('One')
  })

  // the same edits in a tab that was never reloaded give the expected result
  test.each(Array.from({ length: 60 }, (_, seed) => seed))('goes on as if nothing had been between (%i)', (seed) => {
    const random = seededRandom(seed)
    const pick = (count: number) => Math.floor(random() * count)
    const before = documentOf(flowWith({ g: [noteBlock('a', 'One two\nThree\nFour'), choiceBlock('c', ['x', 'y'])] }))
    const peer = replica(before)
    const typeSomewhere = (document: FlowDocument) => {
      const all = paragraphs(document, 'a')
      const at = pick(all.length)
      const one = all[at]
      if (!one) return
      if (random() < 0.15 && all.length > 1) textOf(document, 'a').delete(at, 1)
      else if (random() < 0.5 && one.length > 1) one.delete(pick(one.length - 1), 1)
      else one.insert(pick(one.length + 1), `${pick(100)}`)
    }
    const act = () => {
      const what = random()
      if (what < 0.55) type(before, () => typeSomewhere(before))
      else if (what < 0.65) before.commands.setGroupTitle('g', `Title ${pick(9)}`)
      else if (what < 0.75) before.commands.moveGroups([{ groupId: 'g', position: { x: pick(90), y: 0 } }])
      else if (what < 0.9) before.undo.undo()
      else before.undo.redo()
      if (random() < 0.2) {
        sync(before, peer)
        peer.doc.transact(() => typeSomewhere(peer))
        sync(before, peer)
      }
    }
    for (let n = 0; n < 25; n++) act()
    const after = reloaded(before)
    expect(after.toFlow()).toEqual(before.toFlow())
    expect(after.history()).toEqual(before.history())
    for (let n = 0; n < 25; n++) {
      const back = random() < 0.7
      for (const { undo } of [before, after]) back ? undo.undo() : undo.redo()
      expect([n, after.toFlow()]).toEqual([n, before.toFlow()])
    }
    // and every other client has the same
    expect(createDocument({ doc: served(after), registry: testRegistry }).toFlow()).toEqual(after.toFlow())
  })
})
