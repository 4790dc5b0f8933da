import { withYjs, YjsEditor } from '@slate-yjs/core'
import { createEditor, Editor, type Node, type Path, Range, Transforms } from 'slate'
import { withReact } from 'slate-react'
import type * as Y from 'yjs'
import type { FlowUndo } from '../../engine/document/undo'
import { readLink } from '../../engine/values/linkAddress'
import { type ClipboardOptions, insertInlines, withClipboard } from './clipboard'
import { chip, dynamicToNodes } from './conversion'
import { withLists } from './lists'
import type { ChipElement, Mark, TextLeaf } from './model'

export interface TextEditorOptions extends ClipboardOptions {
  /** no paragraphs: Enter does nothing, pasted lines are joined by a space */
  singleLine: boolean
  /** bold, italic, underline, links, lists */
  formatting: boolean
}

/** A Slate editor for texts with variable chips. It has no history of its own: undo is the document's. */
export function createTextEditor(options: TextEditorOptions): Editor {
  const editor = withReact(createEditor())
  const { isInline, isVoid, markableVoid, normalizeNode, insertBreak, insertText } = editor
  editor.isInline = (element) => element.type === 'variable' || isInline(element)
  editor.isVoid = (element) => element.type === 'variable' || isVoid(element)
  editor.markableVoid = (element) => element.type === 'variable' || markableVoid(element)
  editor.insertBreak = () => {
    if (!options.singleLine) insertBreak()
  }
  editor.insertText = (text, settings) => {
    if (atLinkEnd(editor)) Editor.removeMark(editor, 'link')
    insertText(text, settings)
  }
  editor.insertSoftBreak = () => editor.insertBreak()
  withMarkedChips(editor)
  if (options.formatting) withLists(editor)
  editor.normalizeNode = (entry) => {
    const [node, path] = entry
    if (path.length === 0 && Editor.isEditor(node) && node.children.length === 0) {
      Transforms.insertNodes(editor, { type: 'paragraph', children: [{ text: '' }] }, { at: [0] })
      return
    }
    normalizeNode(entry)
  }
  withClipboard(editor, options)
  return editor
}

/** Puts a variable where the cursor is, and the cursor behind it. */
export function insertChip(editor: Editor, variableId: string, path?: string): void {
  if (!editor.selection) Transforms.select(editor, Editor.end(editor, []))
  Transforms.insertNodes(editor, chip(variableId, path), { select: true })
  Transforms.move(editor)
}

export const hasMark = (editor: Editor, mark: Mark): boolean => Editor.marks(editor)?.[mark] === true

export function toggleMark(editor: Editor, mark: Mark): void {
  if (hasMark(editor, mark)) Editor.removeMark(editor, mark)
  else Editor.addMark(editor, mark, true)
}

/** The link under the cursor or at the selection's start. */
export const currentLink = (editor: Editor): string | undefined => Editor.marks(editor)?.link

/** Links the selection; with nothing selected, the link that the cursor is in. Null takes the link away. */
export function setLink(editor: Editor, link: string | null): void {
  if (!editor.selection) return
  const range = Range.isCollapsed(editor.selection) ? linkRange(editor) : editor.selection
  if (!range) {
    const [line] = link === null ? [] : dynamicToNodes(readLink(link))
    if (line)
      insertInlines(editor, { ...line, children: line.children.map((child) => ({ ...child, link: link ?? '' })) })
    return
  }
  if (link === null) Transforms.unsetNodes<TextLeaf>(editor, 'link', { at: range, match: isMarkable, split: true })
  else Transforms.setNodes<TextLeaf>(editor, { link }, { at: range, match: isMarkable, split: true })
}

/** Behind the last character of a link: what is typed there is no part of it. */
function atLinkEnd(editor: Editor): boolean {
  const { selection } = editor
  if (!selection || Range.isExpanded(selection) || currentLink(editor) === undefined) return false
  return Editor.isEnd(editor, selection.anchor, selection.anchor.path)
}

/** The whole link that the cursor is in: its pieces differ in other marks, and chips stand between them. */
function linkRange(editor: Editor): Range | null {
  const [found] = Editor.nodes(editor, { match: (node) => isMarkable(node) && node.link !== undefined })
  if (!found) return null
  const [piece, path] = found as [TextLeaf | ChipElement, Path]
  const [line, around] = Editor.parent(editor, path)
  const siblings = line.children as (TextLeaf | ChipElement)[]
  const belongs = (at: number) =>
    siblings[at]?.link === piece.link || (siblings[at] as TextLeaf | undefined)?.text === ''
  const place = path.at(-1) ?? 0
  let [first, last] = [place, place]
  while (belongs(first - 1)) first -= 1
  while (belongs(last + 1)) last += 1
  return Editor.range(editor, [...around, first], [...around, last])
}

/** What carries marks. Slate would put them on the empty text inside a chip, where nothing reads them. */
const isMarkable = (node: Node): node is TextLeaf | ChipElement =>
  'text' in node || ('type' in node && node.type === 'variable')

/** Marks of a selection go on its chips too. */
function withMarkedChips(editor: Editor): void {
  const { addMark, removeMark } = editor
  const isSelected = () =>
    editor.selection !== null && (Range.isExpanded(editor.selection) || Editor.void(editor) !== undefined)
  editor.addMark = (mark, value) => {
    if (isSelected()) Transforms.setNodes<TextLeaf>(editor, { [mark]: value }, { match: isMarkable, split: true })
    else addMark(mark, value)
  }
  editor.removeMark = (mark) => {
    if (isSelected()) Transforms.unsetNodes<TextLeaf>(editor, mark as Mark, { match: isMarkable, split: true })
    else removeMark(mark)
  }
}

/** What an editor needs of the document's undo. */
export type TextUndo = Pick<FlowUndo, 'stopCapturing' | 'addTrackedOrigin' | 'removeTrackedOrigin'> & {
  undo(): unknown
  redo(): unknown
}

/**
 * Binds a fresh editor to a text of the document. Local changes carry an origin of this editor's own, which `undo` is told to
 * track: with the document's own origin, changes made by its commands would be taken for this editor's and not be shown.
 * @returns `connect`, which gives disconnect (what was typed and not yet written is written then), and undo and redo
 */
export function bindToText(editor: Editor, text: Y.XmlText, undo: TextUndo) {
  const origin = { editor: 'text' }
  const bound = withYjs(editor, text, { localOrigin: origin })
  const flush = () => YjsEditor.flushLocalChanges(bound)
  return {
    undo: () => {
      flush()
      undo.undo()
    },
    redo: () => {
      flush()
      undo.redo()
    },
    connect: () => {
      YjsEditor.connect(bound)
      // a paragraph that normalising added to an empty text is nobody's edit: it is written before undo listens
      flush()
      undo.stopCapturing()
      undo.addTrackedOrigin(origin)
      return () => {
        YjsEditor.disconnect(bound)
        undo.stopCapturing()
        undo.removeTrackedOrigin(origin)
      }
    },
  }
}
