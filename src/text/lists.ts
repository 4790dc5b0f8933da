import { Editor, Element, type NodeEntry, Path, Range, Transforms } from 'slate'
import { type ListPlace, listPlaceOf, MAX_LIST_LEVEL } from '../../engine/values/richTextLists'
import type { ParagraphElement } from './model'

/** List editing: `- ` and `1. ` start a list, Enter in an empty item and Backspace at an item's start leave it. */
export function withLists(editor: Editor): void {
  const { insertBreak, insertText, deleteBackward } = editor
  editor.insertBreak = () => {
    const [item] = selectedItems(editor)
    if (item && isCollapsed(editor) && Editor.string(editor, item[1]) === '' && item[0].children.length === 1)
      leave(editor, item)
    else insertBreak()
  }
  editor.insertSoftBreak = () => {
    // a paragraph between two items would restart the numbers: a line break stays inside its item
    if (selectedItems(editor).length > 0) insertText('\n')
    else editor.insertBreak()
  }
  editor.deleteBackward = (unit) => {
    const [item] = selectedItems(editor)
    const { selection } = editor
    if (item && selection && isCollapsed(editor) && Editor.isStart(editor, selection.anchor, item[1]))
      leave(editor, item)
    else deleteBackward(unit)
  }
  editor.insertText = (text, options) => {
    if (text !== ' ' || !beginList(editor)) insertText(text, options)
  }
}

/** The common list type of the selection. */
export function currentList(editor: Editor): ListPlace['list'] {
  const paragraphs = selectedParagraphs(editor)
  const list = paragraphs[0]?.[0].list
  return paragraphs.every(([paragraph]) => paragraph.list === list) ? list : undefined
}

/** Turns the selection into list items, or back into paragraphs. */
export function toggleList(editor: Editor, list: 'bullet' | 'number'): void {
  const wanted = currentList(editor) === list ? undefined : list
  Editor.withoutNormalizing(editor, () => {
    for (const [paragraph, path] of selectedParagraphs(editor))
      place(editor, path, wanted ? { list: wanted, level: paragraph.level } : {})
  })
}

/**
 * Indents or outdents the selected items by a level.
 * @returns false if nothing can move: then Tab leaves the field
 */
export function indent(editor: Editor, by: 1 | -1): boolean {
  const items = selectedItems(editor)
  const moved = items.filter(([item, path]) => {
    const level = (item.level ?? 0) + by
    return level >= 0 && level <= deepest(editor, path, items)
  })
  Editor.withoutNormalizing(editor, () => {
    for (const [item, path] of moved) place(editor, path, { list: item.list, level: (item.level ?? 0) + by })
  })
  return moved.length > 0
}

/** An item is at most one level deeper than the previous one, which may move along. */
function deepest(editor: Editor, path: Path, moving: readonly NodeEntry<ParagraphElement>[]): number {
  if (!Path.hasPrevious(path)) return 0
  const before = Path.previous(path)
  const [node] = Editor.node(editor, before)
  if (!isParagraph(node) || !node.list) return 0
  const along = moving.some(([, other]) => Path.equals(other, before)) && (node.level ?? 0) < MAX_LIST_LEVEL ? 1 : 0
  return Math.min(MAX_LIST_LEVEL, (node.level ?? 0) + 1 + along)
}

/** One step out of the list: an inner item to the level above, an outer one to a paragraph. */
function leave(editor: Editor, [item, path]: NodeEntry<ParagraphElement>): void {
  place(editor, path, item.level ? { list: item.list, level: item.level - 1 } : {})
}

/** Recognises `-`, `*` or `1.` at the start of a paragraph when a space is typed. */
function beginList(editor: Editor): boolean {
  const [entry] = selectedParagraphs(editor)
  if (!entry || !editor.selection || !isCollapsed(editor) || entry[0].list) return false
  const [, path] = entry
  const { anchor } = editor.selection
  // only plain text of at most two characters before it
  if (anchor.path.at(-1) !== 0 || anchor.offset > 2) return false
  const before = { anchor: Editor.start(editor, path), focus: anchor }
  const typed = Editor.string(editor, before)
  const list = typed === '-' || typed === '*' ? 'bullet' : typed === '1.' || typed === '1)' ? 'number' : null
  if (!list) return false
  Editor.withoutNormalizing(editor, () => {
    Transforms.delete(editor, { at: before })
    place(editor, path, { list })
  })
  return true
}

function place(editor: Editor, at: Path, wanted: { list?: ListPlace['list']; level?: number | undefined }): void {
  const { list, level } = listPlaceOf(wanted)
  if (list) Transforms.setNodes<ParagraphElement>(editor, { list }, { at })
  else Transforms.unsetNodes<ParagraphElement>(editor, 'list', { at })
  if (level) Transforms.setNodes<ParagraphElement>(editor, { level }, { at })
  else Transforms.unsetNodes<ParagraphElement>(editor, 'level', { at })
}

const isCollapsed = (editor: Editor): boolean => editor.selection !== null && Range.isCollapsed(editor.selection)
const isParagraph = (node: unknown): node is ParagraphElement => Element.isElement(node) && node.type === 'paragraph'

const selectedParagraphs = (editor: Editor): NodeEntry<ParagraphElement>[] =>
  editor.selection ? [...Editor.nodes<ParagraphElement>(editor, { match: isParagraph })] : []

const selectedItems = (editor: Editor): NodeEntry<ParagraphElement>[] =>
  selectedParagraphs(editor).filter(([paragraph]) => paragraph.list !== undefined)
