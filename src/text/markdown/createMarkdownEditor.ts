import { type Descendant, Editor, Element, type NodeEntry, Range, Transforms } from 'slate'
import { listedTextToNodes } from '../conversion'
import { createTextEditor } from '../createTextEditor'
import { toggleList } from '../lists'
import type { ParagraphElement, TextLeaf } from '../model'
import { htmlToNodes } from '../pasteHtml'
import { type MarkdownBlock, readMarkdown, writeMarkdown } from './markdown'

const noVariable = () => undefined

/** A Slate editor for texts stored as Markdown: like texts of flows, with headings and without variables. */
export function createMarkdownEditor(): Editor {
  const editor = createTextEditor({
    singleLine: false,
    formatting: true,
    max: Number.POSITIVE_INFINITY,
    nameOf: noVariable,
    idOf: noVariable,
  })
  const { insertBreak, insertText, deleteBackward } = editor
  editor.insertBreak = () => {
    const heading = headingAtCursor(editor)
    const atEnd = heading && editor.selection && Editor.isEnd(editor, editor.selection.anchor, heading[1])
    insertBreak()
    if (atEnd) Transforms.unsetNodes<ParagraphElement>(editor, 'heading')
  }
  editor.insertText = (text, options) => {
    if (text !== ' ' || !beginHeading(editor)) insertText(text, options)
  }
  editor.deleteBackward = (unit) => {
    const heading = headingAtCursor(editor)
    const { selection } = editor
    if (heading && selection && Range.isCollapsed(selection) && Editor.isStart(editor, selection.anchor, heading[1]))
      Transforms.unsetNodes<ParagraphElement>(editor, 'heading')
    else deleteBackward(unit)
  }
  editor.setFragmentData = (data) => {
    const fragment = blocksOf(editor.getFragment())
    data.setData('text/plain', fragment.map(({ children }) => children.map(({ text }) => text).join('')).join('\n'))
    data.setData('text/markdown', writeMarkdown(fragment))
  }
  editor.insertData = (data) => {
    const nodes = pasted(data)
    if (nodes.length > 0) Transforms.insertFragment(editor, nodes)
  }
  return editor
}

/** Puts Markdown in place of the selection, at the end of a text that has none. */
export function insertMarkdown(editor: Editor, markdown: string): void {
  if (!editor.selection) Transforms.select(editor, Editor.end(editor, []))
  Transforms.insertFragment(editor, readMarkdown(markdown))
}

/** The editor's content without chips and underlines, which Markdown does not support. */
export const blocksOf = (nodes: readonly Descendant[]): MarkdownBlock[] =>
  nodes.flatMap((node) => {
    if (!isParagraph(node)) return []
    const children = node.children.filter((child): child is TextLeaf => !('type' in child))
    return [{ ...node, children }]
  })

export type Heading = NonNullable<ParagraphElement['heading']>

/** The common heading level of the selection. */
export function currentHeading(editor: Editor): Heading | undefined {
  const paragraphs = selected(editor)
  const heading = paragraphs[0]?.[0].heading
  return paragraphs.every(([paragraph]) => paragraph.heading === heading) ? heading : undefined
}

/** Turns the selection into headings, or back into paragraphs. */
export function toggleHeading(editor: Editor, heading: Heading): void {
  const isOne = currentHeading(editor) === heading
  Editor.withoutNormalizing(editor, () => {
    for (const [, at] of selected(editor)) {
      Transforms.unsetNodes<ParagraphElement>(editor, ['list', 'level'], { at })
      if (isOne) Transforms.unsetNodes<ParagraphElement>(editor, 'heading', { at })
      else Transforms.setNodes<ParagraphElement>(editor, { heading }, { at })
    }
  })
}

/** Like `toggleList`; items stop being headings. */
export function toggleItems(editor: Editor, list: 'bullet' | 'number'): void {
  Editor.withoutNormalizing(editor, () => {
    for (const [, at] of selected(editor)) Transforms.unsetNodes<ParagraphElement>(editor, 'heading', { at })
    toggleList(editor, list)
  })
}

/** Recognises `#`, `##` or `###` at the start of a paragraph when a space is typed. */
function beginHeading(editor: Editor): boolean {
  const [entry] = selected(editor)
  const { selection } = editor
  if (!entry || !selection || Range.isExpanded(selection)) return false
  const before = { anchor: Editor.start(editor, entry[1]), focus: selection.anchor }
  const typed = Editor.string(editor, before)
  if (!/^#{1,3}$/.test(typed)) return false
  Editor.withoutNormalizing(editor, () => {
    Transforms.delete(editor, { at: before })
    Transforms.unsetNodes<ParagraphElement>(editor, ['list', 'level'])
    Transforms.setNodes<ParagraphElement>(editor, { heading: typed.length as Heading })
  })
  return true
}

/** Markdown if declared or recognised, otherwise HTML or text from the clipboard. */
function pasted(data: Pick<DataTransfer, 'getData'>): ParagraphElement[] {
  const markdown = data.getData('text/markdown')
  if (markdown !== '') return readMarkdown(markdown)
  const html = data.getData('text/html')
  const nodes = html === '' ? [] : htmlToNodes(html, noVariable, { headings: true })
  if (nodes.length > 0) return nodes
  const text = data.getData('text/plain')
  return /^#{1,6} |\*\*\S/m.test(text) ? readMarkdown(text) : listedTextToNodes(text, noVariable)
}

const isParagraph = (node: unknown): node is ParagraphElement => Element.isElement(node) && node.type === 'paragraph'

const selected = (editor: Editor): NodeEntry<ParagraphElement>[] =>
  editor.selection ? [...Editor.nodes<ParagraphElement>(editor, { match: isParagraph })] : []

const headingAtCursor = (editor: Editor) => selected(editor).find(([{ heading }]) => heading !== undefined)
