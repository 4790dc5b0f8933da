import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { documentOf, flowWith, noteBlock } from '../../tests/support/documents'
import type { FlowDocument } from './flowDocument'

const done = (document: FlowDocument) => document.history().done.map(({ code }) => code)
const undone = (document: FlowDocument) => document.history().undone.map(({ code }) => code)
const start = () => documentOf(flowWith({ g: [noteBlock('a')], h: [] }))

test('a step is named after its command, with what it was about', () => {
  const document = start()
  document.commands.setGroupTitle('g', 'Welcome')
  document.commands.moveGroups([
    { groupId: 'g', position: { x: 8, y: 8 } },
    { groupId: 'h', position: { x: 80, y: 8 } },
  ])
  document.commands.addBlock('h', 0, noteBlock('b'))
  document.commands.deleteBlocks(['b'])
  expect(document.history().done).toMatchObject([
    { code: 'setGroupTitle', name: 'Welcome', groupId: 'g', count: 1 },
    { code: 'moveGroups', name: 'Welcome', count: 2 },
    { code: 'addBlock', blockId: 'b', kind: noteBlock('b').kind, count: 1 },
    { code: 'deleteBlocks', blockId: 'b', kind: noteBlock('b').kind, count: 1 },
  ])
})

test('a batch is one step, named after the most telling of its commands', () => {
  const document = start()
  document.commands.batch(() => {
    document.commands.connect({ blockId: 'a', portId: 'next' }, { groupId: 'h' })
    for (const id of ['x', 'y']) document.commands.addGroup({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
  })
  expect(document.history().done).toMatchObject([{ code: 'addGroup', name: 'x', count: 2 }])
})

test('undo and redo carry the names along', () => {
  const document = start()
  document.commands.setGroupTitle('g', 'One')
  document.commands.setGroupTitle('g', 'Two')
  document.commands.deleteGroups(['h'])
  document.undo.undo()
  document.undo.undo()
  expect(done(document)).toEqual(['setGroupTitle'])
  expect(undone(document)).toEqual(['setGroupTitle', 'deleteGroups'])
  expect(document.history().undone[0]?.name).toBe('Two')
  document.undo.redo()
  expect(done(document)).toEqual(['setGroupTitle', 'setGroupTitle'])
  expect(undone(document)).toEqual(['deleteGroups'])
  document.commands.setGroupTitle('g', 'Three')
  expect(undone(document)).toEqual([])
})

test('typing into a text is named after its block', () => {
  const document = start()
  document.doc.transact(() => {
    const [{ insert }] = (document.text('a', 'content') as Y.XmlText).toDelta() as [{ insert: Y.XmlText }]
    insert.insert(0, 'Hello')
  }, document.typingOrigin)
  expect(document.history().done).toMatchObject([{ code: 'type', blockId: 'a', kind: noteBlock('a').kind }])
})

test('a command that changes nothing is no step', () => {
  const document = start()
  document.commands.deleteGroups(['not there'])
  expect(done(document)).toEqual([])
})
