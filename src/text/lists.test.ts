import { Editor, Transforms } from 'slate'
import { expect, test } from 'vitest'
import { type RichText, richTextToString } from '../../engine/values/richText'
import { insertParagraphs } from './clipboard'
import { listedTextToNodes, nodesToRichText, plainTextToNodes, richTextToNodes } from './conversion'
import { createTextEditor, insertChip } from './createTextEditor'
import { currentList, indent, toggleList } from './lists'

const idOf = (name: string) => (name === 'Score' ? 'v1' : undefined)

function editorOf(value: RichText) {
  const editor = createTextEditor({ singleLine: false, formatting: true, max: 20_000, nameOf: () => 'Score', idOf })
  editor.children = richTextToNodes(value)
  Transforms.select(editor, Editor.end(editor, []))
  return editor
}
const line = (text: string, list?: 'bullet' | 'number', level?: number) => ({
  type: 'paragraph' as const,
  ...(list && { list }),
  ...(level && { level }),
  children: [{ text }],
})
const shown = (editor: Editor): string[] => richTextToString(nodesToRichText(editor.children), () => '<>').split('\n')
const places = (editor: Editor) => nodesToRichText(editor.children).map(({ list, level = 0 }) => (list ? level : null))
const type = (editor: Editor, text: string) => {
  for (const character of text) editor.insertText(character)
}

test('a hyphen, an asterisk or a one and a space begin a list; elsewhere and behind a variable they are text', () => {
  const editor = editorOf([line('')])
  type(editor, '- bread')
  editor.insertBreak()
  type(editor, 'salt')
  expect(shown(editor)).toEqual(['• bread', '• salt'])
  const numbers = editorOf([line('')])
  type(numbers, '1. one')
  expect(shown(numbers)).toEqual(['1. one'])
  const text = editorOf([line('a')])
  type(text, ' - b')
  expect(shown(text)).toEqual(['a - b'])
  const variable = editorOf([line('')])
  insertChip(variable, 'v1')
  type(variable, '- c')
  expect(shown(variable)).toEqual(['<>- c'])
})

test('Enter in an empty item goes out a level, and from the outside out of the list', () => {
  const editor = editorOf([line('a', 'bullet'), line('b', 'bullet', 1), line('', 'bullet', 1)])
  editor.insertBreak()
  expect(places(editor)).toEqual([0, 1, 0])
  editor.insertBreak()
  expect(places(editor)).toEqual([0, 1, null])
  type(editor, 'after')
  expect(shown(editor).at(-1)).toBe('after')
})

test('Backspace at the start of an item takes its bullet, the next one joins the lines', () => {
  const editor = editorOf([line('a'), line('b', 'number')])
  Transforms.select(editor, Editor.start(editor, [1]))
  editor.deleteBackward('character')
  expect(places(editor)).toEqual([null, null])
  editor.deleteBackward('character')
  expect(shown(editor)).toEqual(['ab'])
})

test('a line break in an item stays in it, so that the numbers go on', () => {
  const editor = editorOf([line('a', 'number')])
  editor.insertSoftBreak()
  type(editor, 'more')
  editor.insertBreak()
  type(editor, 'b')
  expect(shown(editor)).toEqual(['1. a', 'more', '2. b'])
})

test('items move in one below the item before and no deeper, several of them together, and out again', () => {
  const editor = editorOf([line('a', 'bullet'), line('b', 'bullet'), line('c', 'bullet')])
  Transforms.select(editor, Editor.start(editor, [0]))
  expect(indent(editor, 1)).toBe(false)
  Transforms.select(editor, { anchor: Editor.start(editor, [1]), focus: Editor.end(editor, [2]) })
  expect(indent(editor, 1)).toBe(true)
  expect(places(editor)).toEqual([0, 1, 1])
  Transforms.select(editor, Editor.end(editor, [2]))
  expect([indent(editor, 1), indent(editor, 1)]).toEqual([true, false])
  expect(places(editor)).toEqual([0, 1, 2])
  for (let n = 0; n < 3; n++) indent(editor, -1)
  expect(places(editor)).toEqual([0, 1, 0])
  expect(indent(editor, -1)).toBe(false)
})

test('a list is made of all that is selected, changed into the other kind, and taken away', () => {
  const editor = editorOf([line('a'), line('b', 'bullet'), line('c')])
  Transforms.select(editor, { anchor: Editor.start(editor, [0]), focus: Editor.end(editor, [1]) })
  expect(currentList(editor)).toBeUndefined()
  toggleList(editor, 'number')
  expect(shown(editor)).toEqual(['1. a', '2. b', 'c'])
  expect(currentList(editor)).toBe('number')
  toggleList(editor, 'bullet')
  toggleList(editor, 'bullet')
  expect(shown(editor)).toEqual(['a', 'b', 'c'])
})

test('what looks like a list when pasted as text is one; a lone hyphen or number is not', () => {
  const pasted = (text: string) =>
    richTextToString(nodesToRichText(listedTextToNodes(text, idOf)), () => '<>').split('\n')
  expect(pasted('Take:\n- bread\n  - white\n- {{ Score }}')).toEqual(['Take:', '• bread', '  • white', '• <>'])
  expect(pasted('3) a\n4) b')).toEqual(['1. a', '2. b'])
  expect(listedTextToNodes('- so he said', idOf)).toEqual(plainTextToNodes('- so he said', idOf))
  expect(pasted('• one')).toEqual(['• one'])
})

test('a list pasted into an empty line begins it, lines pasted into an item are items', () => {
  const empty = editorOf([line('')])
  insertParagraphs(empty, richTextToNodes([line('a', 'bullet'), line('b', 'bullet', 1), line('end')]))
  expect(shown(empty)).toEqual(['• a', '  • b', 'end'])
  const item = editorOf([line('x', 'number'), line('y', 'number')])
  Transforms.select(item, Editor.end(item, [0]))
  insertParagraphs(item, plainTextToNodes('1\n2\n3', idOf))
  expect(shown(item)).toEqual(['1. x1', '2. 2', '3. 3', '4. y'])
})

/** A clipboard filled by one editor and read by another. */
function copyTo(from: Editor, to: Editor) {
  const held = new Map<string, string>()
  const data = {
    setData: (format: string, text: string) => held.set(format, text),
    getData: (format: string) => held.get(format) ?? '',
  } as unknown as DataTransfer
  Transforms.select(from, { anchor: Editor.start(from, []), focus: Editor.end(from, []) })
  from.setFragmentData(data)
  to.insertData(data)
  return held
}

test('copying keeps marks, lists and chips; a variable of another flow is found by its name, or stays as text', () => {
  const value: RichText = [
    {
      ...line('a', 'bullet'),
      children: [
        { text: 'a', bold: true },
        { text: '', variable: true, variable_id: 'v9' },
      ],
    },
    line('b', 'bullet', 1),
  ]
  const there = editorOf(value)
  const options = { singleLine: false, formatting: true, max: 100, nameOf: () => undefined }
  const here = createTextEditor({ ...options, idOf })
  here.children = richTextToNodes([line('')])
  Transforms.select(here, Editor.end(here, []))
  const held = copyTo(there, here)
  expect(held.get('text/plain')).toBe('• a{Score}\n  • b')
  expect(nodesToRichText(here.children)).toEqual([
    {
      ...value[0],
      children: [
        { text: 'a', bold: true },
        { text: '', variable: true, variable_id: 'v1' },
      ],
    },
    value[1],
  ])
  const elsewhere = createTextEditor({ ...options, singleLine: true, formatting: false, idOf: () => undefined })
  elsewhere.children = richTextToNodes([line('')])
  Transforms.select(elsewhere, Editor.end(elsewhere, []))
  copyTo(there, elsewhere)
  expect(nodesToRichText(elsewhere.children)).toEqual([line('a{Score} b')])
})

test('a paste that is a little too long is kept, one that is far too long is cut at the cap, and that is told', () => {
  const cuts: unknown[] = []
  const editor = createTextEditor({
    singleLine: false,
    formatting: true,
    max: 20_000,
    nameOf: () => undefined,
    idOf,
    onCut: (cut) => cuts.push(cut),
  })
  editor.children = richTextToNodes([line('start')])
  Transforms.select(editor, Editor.end(editor, []))
  const paste = (text: string) =>
    editor.insertData({ getData: (format: string) => (format === 'text/plain' ? text : '') } as unknown as DataTransfer)
  paste('x'.repeat(20_100))
  expect([Editor.string(editor, []).length, cuts]).toEqual([20_105, []])
  Transforms.select(editor, { anchor: Editor.start(editor, []), focus: Editor.end(editor, []) })
  paste(`${'y'.repeat(19_998)}\n\u{1f600}\u{1f600}${'z'.repeat(80_000)}`)
  expect(cuts).toEqual([{ pasted: 100_002, kept: 20_000 }])
  expect(shown(editor)).toEqual(['y'.repeat(19_998), '\u{1f600}'])
})
