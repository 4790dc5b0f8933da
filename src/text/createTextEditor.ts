import { withYjs, YjsEditor } from '@slate-yjs/core'
import { createEditor, type Descendant, Editor, Element, Node, Range, Transforms } from 'slate'
import { withReact } from 'slate-react'
import type * as Y from 'yjs'
import { isValuePath } from '../../engine/values/valuePath'
import { chip, isChipNode, nodesToPlainText, nodesToRichText, plainTextToNodes, richTextToNodes } from './conversion'
import type { Mark, TextLeaf } from './model'

export interface TextEditorOptions {
  /** no paragraphs: Enter does nothing, pasted lines are joined by a space */
  singleLine: boolean
  /** bold, italic, underline, links */
  formatting: boolean
  /** name of a variable, for copying */
  nameOf: (id: string) => string | undefined
  /** id of a variable, for pasting `{Name}` */
  idOf: (name: string) => string | undefined
}

const FRAGMENT = 'application/x-parley-text'

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
  editor.normalizeNode = (entry) => {
    const [node, path] = entry
    if (path.length === 0 && Editor.isEditor(node) && node.children.length === 0) {
      Transforms.insertNodes(editor, { type: 'paragraph', children: [{ text: '' }] }, { at: [0] })
      return
    }
    normalizeNode(entry)
  }
  editor.setFragmentData = (data) => {
    const fragment = editor.getFragment()
    data.setData('text/plain', nodesToPlainText(fragment, options.nameOf))
    if (options.formatting) data.setData(FRAGMENT, JSON.stringify(nodesToRichText(fragment)))
  }
  editor.insertData = (data) => {
    const own = options.formatting ? parseFragment(data.getData(FRAGMENT)) : null
    const nodes = own ?? plainTextToNodes(joined(data.getData('text/plain'), options.singleLine), options.idOf)
    insertParagraphs(editor, nodes)
  }
  return editor
}

const joined = (text: string, singleLine: boolean): string =>
  singleLine ? text.trim().replace(/\s*[\r\n]+\s*/g, ' ') : text

/** What another of our editors put on the clipboard; anything else that claims to be it is ignored. */
function parseFragment(json: string): Descendant[] | null {
  if (json === '') return null
  try {
    const value: unknown = JSON.parse(json)
    if (!Array.isArray(value) || value.length === 0) return null
    return richTextToNodes(
      value.map((paragraph) => ({ type: 'paragraph', children: paragraph.children.map(cleanInline) })),
    )
  } catch {
    return null
  }
}

function cleanInline(inline: Record<string, unknown>) {
  const style = {
    ...(inline.bold === true && { bold: true as const }),
    ...(inline.italic === true && { italic: true as const }),
    ...(inline.underline === true && { underline: true as const }),
    ...(typeof inline.link === 'string' && { link: inline.link }),
  }
  if (inline.variable === true && typeof inline.variable_id === 'string')
    return {
      text: '' as const,
      variable: true as const,
      variable_id: inline.variable_id,
      ...(typeof inline.path === 'string' && isValuePath(inline.path) && { path: inline.path }),
      ...style,
    }
  return { text: String(inline.text ?? ''), ...style }
}

/** Puts paragraphs where the cursor is: the first continues its line, the last is continued by what followed. */
export function insertParagraphs(editor: Editor, paragraphs: readonly Descendant[]): void {
  Editor.withoutNormalizing(editor, () => {
    if (editor.selection && Range.isExpanded(editor.selection)) Transforms.delete(editor)
    paragraphs.forEach((paragraph, index) => {
      if (index > 0) Transforms.splitNodes(editor, { always: true })
      const inlines = Element.isElement(paragraph) ? paragraph.children.filter(hasContent) : []
      if (inlines.length > 0) Transforms.insertNodes(editor, structuredClone(inlines) as Descendant[], { select: true })
      const last = inlines.at(-1)
      if (last && isChipNode(last)) Transforms.move(editor)
    })
  })
}

const hasContent = (node: Descendant): boolean => Node.isNode(node) && (isChipNode(node) || Node.string(node) !== '')

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
export function setLink(editor: Editor, url: string | null): void {
  if (!editor.selection) return
  const range = Range.isCollapsed(editor.selection) ? linkRange(editor) : editor.selection
  if (!range) {
    if (url !== null) Transforms.insertNodes(editor, { text: url, link: url }, { select: true })
    return
  }
  const options = { at: range, match: (node: Node) => 'text' in node, split: true }
  if (url === null) Transforms.unsetNodes<TextLeaf>(editor, 'link', options)
  else Transforms.setNodes<TextLeaf>(editor, { link: url }, options)
}

/** Behind the last character of a link: what is typed there is no part of it. */
function atLinkEnd(editor: Editor): boolean {
  const { selection } = editor
  if (!selection || Range.isExpanded(selection) || currentLink(editor) === undefined) return false
  return Editor.isEnd(editor, selection.anchor, selection.anchor.path)
}

function linkRange(editor: Editor): Range | null {
  const [leaf] = Editor.nodes(editor, { match: (node) => 'text' in node && node.link !== undefined })
  return leaf ? Editor.range(editor, leaf[1]) : null
}

/**
 * Binds a fresh editor to a text of the document. Local changes carry an origin of this editor's own, which `undo` is told to
 * track: with the document's own origin, changes made by its commands would be taken for this editor's and not be shown.
 * @returns `connect`, which gives disconnect (what was typed and not yet written is written then), and undo and redo
 */
export function bindToText(editor: Editor, text: Y.XmlText, undo: Y.UndoManager) {
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
