import { withYjs, YjsEditor } from '@slate-yjs/core'
import { createEditor, Editor, Text as SlateText, Transforms } from 'slate'
import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { documentOf, flowWith, noteBlock } from '../../tests/support/documents'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'
import type { FlowDocument } from './flowDocument'

describe('Slate on a text of the document', () => {
  const bind = (document: FlowDocument) => {
    const text = document.text('n', 'content') as Y.XmlText
    const editor = withYjs(createEditor(), text as never, {
      localOrigin: document.typingOrigin,
    })
    editor.isInline = editor.isVoid = (element: object) => 'type' in element && element.type === 'variable'
    YjsEditor.connect(editor)
    return editor
  }

  test('shows paragraphs, marks and chips, and writes back what is typed, split, marked and inserted', () => {
    const content: RichText = [
      {
        type: 'paragraph',
        children: [
          { text: 'Hi ', bold: true },
          { text: '', variable: true, variable_id: 'v', path: '.name' },
        ],
      },
    ]
    const document = documentOf(flowWith({ g: [{ ...noteBlock('n'), data: { content: content as unknown as Json } }] }))
    const editor = bind(document)
    expect(editor.children).toMatchObject([
      {
        type: 'paragraph',
        children: [
          { text: 'Hi ', bold: true },
          { type: 'variable', variable_id: 'v', path: '.name', children: [{ text: '' }] },
          { text: '' },
        ],
      },
    ])
    Transforms.insertText(editor, 'you', { at: { path: [0, 2], offset: 0 } })
    Transforms.splitNodes(editor, { at: { path: [0, 2], offset: 1 } })
    Transforms.insertNodes(editor, { type: 'variable', variable_id: 'w', children: [{ text: '' }] } as never, {
      at: { path: [1, 0], offset: 2 },
    })
    Transforms.setNodes(editor, { link: 'https://a.example' } as never, { at: [1, 0], match: SlateText.isText })
    Editor.normalize(editor)
    YjsEditor.flushLocalChanges(editor)
    expect(document.projection().blocks.get('n')?.data.content).toEqual([
      {
        type: 'paragraph',
        children: [
          { text: 'Hi ', bold: true },
          { text: '', variable: true, variable_id: 'v', path: '.name' },
          { text: 'y' },
        ],
      },
      {
        type: 'paragraph',
        children: [
          { text: 'ou', link: 'https://a.example' },
          { text: '', variable: true, variable_id: 'w' },
        ],
      },
    ])
    document.undo.undo()
    expect(document.projection().blocks.get('n')?.data.content).toEqual(content)
    expect(editor.children).toHaveLength(1)
  })
})
