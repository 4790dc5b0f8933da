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
  /** single line: Enter does nothing, pasted lines are joined by spaces */
  singleLine: boolean
  /** bold, italic, underline, links, lists */
  formatting: boolean
}

/** A Slate editor for texts with variable chips. It has no history of its own: the document's undo is used. */
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

/** Inserts a variable at the cursor, and moves the cursor after it. */
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

/** The link at the cursor or the selection's start. */
export const currentLink = (editor: Editor): string | undefined => Editor.marks(editor)?.link

/** Links the selection or, without one, changes the link at the cursor. Null removes it. */
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

/** After a link's last character: text typed there does not belong to the link. */
function atLinkEnd(editor: Editor): boolean {
  const { selection } = editor
  if (!selection || Range.isExpanded(selection) || currentLink(editor) === undefined) return false
  return Editor.isEnd(editor, selection.anchor, selection.anchor.path)
}

/** The whole link at the cursor, which may consist of several leaves and chips. */
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

/** Nodes that can have formatting. Slate would add it to the empty text inside a chip, where it has no effect. */
const isMarkable = (node: Node): node is TextLeaf | ChipElement =>
  'text' in node || ('type' in node && node.type === 'variable')

/** Formatting of a selection includes its chips. */
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

/** The part of the document's undo that an editor needs. */
export type TextUndo = Pick<FlowUndo, 'stopCapturing' | 'addTrackedOrigin' | 'removeTrackedOrigin'> & {
  undo(): unknown
  redo(): unknown
}

/**
 * Binds a new editor to a text of the document. Its changes have their own origin, which `undo` tracks: with the
 * document's origin, changes made by commands would be taken for this editor's and not be shown.
 * @returns `connect`, which returns disconnect (flushing what was typed), and undo and redo
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
      // a paragraph added by normalisation is nobody's edit: flush it before undo listens
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
