import { YjsEditor } from '@slate-yjs/core'
import { Editor, Transforms } from 'slate'
import { expect, onTestFinished, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import type { Json } from '../../engine/values/json'
import { plainRichText, type RichText, richTextToString } from '../../engine/values/richText'
import { insertParagraphs } from './clipboard'
import { dynamicToNodes, nodesToDynamic } from './conversion'
import { bindToText, createTextEditor, insertChip, setLink, toggleMark } from './createTextEditor'

const lookup = { nameOf: () => 'Score', idOf: (name: string) => (name === 'Score' ? 'v1' : undefined) }

/** A document with one text block, an editor on it, and a peer that receives every change. */
function openText(content: RichText) {
  const document = createDocument({ registry })
  const block = { id: 'b', kind: 'text', version: 0, data: { content: content as Json } }
  document.commands.addGroup({ id: 'g', title: 'Group', position: { x: 0, y: 0 }, blocks: [block] })
  document.undo.clear()
  const peer = createDocument({ registry, doc: new Y.Doc() })
  const exchange = () => {
    Y.applyUpdate(peer.doc, Y.encodeStateAsUpdate(document.doc), 'sync')
    Y.applyUpdate(document.doc, Y.encodeStateAsUpdate(peer.doc), 'sync')
  }
  const text = document.text('b', 'content')
  if (!text) throw new Error('the block has a text')
  const editor = createTextEditor({ ...lookup, singleLine: false, formatting: true, max: 20_000 })
  const binding = bindToText(editor, text, document.undo)
  onTestFinished(binding.connect())
  const flush = () => YjsEditor.flushLocalChanges(editor as Editor & YjsEditor)
  const stored = () => {
    flush()
    return document.projection().blocks.get('b')?.data.content as unknown as RichText
  }
  Transforms.select(editor, Editor.end(editor, []))
  return { document, peer, exchange, editor, binding, stored, flush }
}

const read = (value: RichText): string => richTextToString(value, (id) => `<${id}>`)

test('typing, chips and paragraphs reach the document', () => {
  const { editor, stored } = openText(plainRichText('Hello '))
  insertChip(editor, 'v1')
  Editor.insertText(editor, ', welcome')
  editor.insertBreak()
  Editor.insertText(editor, 'bye')
  expect(read(stored())).toBe('Hello <v1>, welcome\nbye')
})

test('Backspace behind a chip takes the whole chip and nothing else', () => {
  const { editor, stored } = openText(plainRichText('a'))
  insertChip(editor, 'v1')
  editor.deleteBackward('character')
  expect(stored()).toEqual(plainRichText('a'))
})

test('a mark is put on the selection and taken away again', () => {
  const { editor, stored } = openText(plainRichText('one two'))
  Transforms.select(editor, { anchor: { path: [0, 0], offset: 0 }, focus: { path: [0, 0], offset: 3 } })
  toggleMark(editor, 'bold')
  expect(stored()[0]?.children).toEqual([{ text: 'one', bold: true }, { text: ' two' }])
  toggleMark(editor, 'bold')
  expect(stored()).toEqual(plainRichText('one two'))
})

test('typing behind a link does not make it longer', () => {
  const { editor, stored } = openText(plainRichText('see here'))
  Transforms.select(editor, { anchor: { path: [0, 0], offset: 4 }, focus: { path: [0, 0], offset: 8 } })
  setLink(editor, 'https://x.org')
  Transforms.collapse(editor, { edge: 'end' })
  Editor.insertText(editor, ' now')
  expect(stored()[0]?.children).toEqual([{ text: 'see ' }, { text: 'here', link: 'https://x.org' }, { text: ' now' }])
})

test('with the cursor in a link, the whole link is changed and removed', () => {
  const { editor, stored } = openText([
    { type: 'paragraph', children: [{ text: 'see ' }, { text: 'here', link: 'https://x.org' }] },
  ])
  Transforms.select(editor, { path: [0, 1], offset: 2 })
  setLink(editor, 'https://y.org')
  expect(stored()[0]?.children[1]).toEqual({ text: 'here', link: 'https://y.org' })
  setLink(editor, null)
  expect(stored()).toEqual(plainRichText('see here'))
})

test('a selection with a chip is linked and marked as a whole, and unlinked from anywhere in it', () => {
  const { editor, stored } = openText(plainRichText('see '))
  insertChip(editor, 'v1')
  Editor.insertText(editor, ' now')
  Transforms.select(editor, [])
  setLink(editor, 'https://x.org/{{v1}}')
  toggleMark(editor, 'bold')
  const look = { bold: true, link: 'https://x.org/{{v1}}' }
  expect(stored()[0]?.children).toEqual([
    { text: 'see ', ...look },
    { text: '', variable: true, variable_id: 'v1', ...look },
    { text: ' now', ...look },
  ])
  toggleMark(editor, 'bold')
  Transforms.select(editor, { path: [0, 2], offset: 2 })
  setLink(editor, null)
  expect(stored()[0]?.children).toEqual([
    { text: 'see ' },
    { text: '', variable: true, variable_id: 'v1' },
    { text: ' now' },
  ])
})

test('a link without a selection is its own words, with chips for its variables', () => {
  const { editor, stored } = openText(plainRichText(''))
  setLink(editor, 'https://x.org/{{v1}}')
  const link = 'https://x.org/{{v1}}'
  expect(stored()[0]?.children).toEqual([
    { text: 'https://x.org/', link },
    { text: '', variable: true, variable_id: 'v1', link },
  ])
})

test('typing in a link with a variable grows the document by what is typed', () => {
  const { document, editor, stored } = openText([
    { type: 'paragraph', children: [{ text: 'here', link: 'https://x.org/{{v1}}' }] },
  ])
  Transforms.select(editor, { path: [0, 0], offset: 2 })
  stored()
  const before = Y.encodeStateAsUpdate(document.doc).length
  for (const letter of 'abcdefghij') Editor.insertText(editor, letter)
  expect(read(stored())).toBe('heabcdefghijre')
  expect(Y.encodeStateAsUpdate(document.doc).length - before).toBeLessThan(60)
})

test('several paragraphs are put into the middle of a line', () => {
  const { editor, stored } = openText(plainRichText('start end'))
  Transforms.select(editor, { path: [0, 0], offset: 6 })
  insertParagraphs(
    editor,
    dynamicToNodes({
      type: 'dynamic',
      parts: [
        { type: 'text', text: 'one\n\ntwo ' },
        { type: 'variable', variable_id: 'v1' },
      ],
    }),
  )
  Editor.insertText(editor, '|')
  expect(read(stored())).toBe('start one\n\ntwo <v1>|end')
})

test('undo is the document’s: it takes back what was typed here, not what a peer typed meanwhile', () => {
  const { editor, binding, stored, exchange, peer, flush } = openText(plainRichText('base'))
  Editor.insertText(editor, ' mine')
  flush()
  exchange()
  peer.commands.setRichText('b', 'content', plainRichText('base mine\ntheirs'))
  exchange()
  expect(read(stored())).toBe('base mine\ntheirs')
  binding.undo()
  expect(read(stored())).toBe('base\ntheirs')
  expect(editor.children).toHaveLength(2)
  binding.redo()
  expect(read(stored())).toBe('base mine\ntheirs')
})

test('a command of this document is shown in the open editor too', () => {
  const { editor, document } = openText(plainRichText('old'))
  document.commands.setRichText('b', 'content', plainRichText('new'))
  expect(Editor.string(editor, [])).toBe('new')
})

test('opening a text without a paragraph gives it one, and leaves nothing to undo', () => {
  const text = new Y.Doc().get('text', Y.XmlText) as Y.XmlText
  const undo = new Y.UndoManager(text)
  const editor = createTextEditor({ ...lookup, singleLine: false, formatting: true, max: 20_000 })
  onTestFinished(bindToText(editor, text, undo).connect())
  expect(text.length).toBe(1)
  YjsEditor.flushLocalChanges(editor as Editor & YjsEditor)
  expect(undo.undoStack).toHaveLength(0)
})

test('a text over its cap is kept whole', () => {
  const { editor, stored } = openText(plainRichText(''))
  Editor.insertText(editor, 'x'.repeat(20_001))
  expect(read(stored())).toHaveLength(20_001)
})

test('a single line has no breaks, typed or pasted', () => {
  const editor = createTextEditor({ ...lookup, singleLine: true, formatting: false, max: 100 })
  editor.children = dynamicToNodes({ type: 'static', value: '' })
  Transforms.select(editor, Editor.end(editor, []))
  editor.insertBreak()
  const clipboard = { getData: (type: string) => (type === 'text/plain' ? ' a\r\n  b {Score}\n' : '') }
  editor.insertData(clipboard as unknown as DataTransfer)
  expect(nodesToDynamic(editor.children)).toEqual({
    type: 'dynamic',
    parts: [
      { type: 'text', text: 'a b ' },
      { type: 'variable', variable_id: 'v1' },
    ],
  })
})
