import { type Descendant, Editor, Element, type Node, Path, Range, Transforms } from 'slate'
import type { DynamicPart } from '../../engine/values/dynamicValue'
import { linkProblem, readLink, writeLink } from '../../engine/values/linkAddress'
import { type RichText, type RichTextInline, richTextLength, richTextVariables } from '../../engine/values/richText'
import { type ListPlace, listPlaceOf } from '../../engine/values/richTextLists'
import { isValuePath } from '../../engine/values/valuePath'
import {
  chip,
  isChipNode,
  listedTextToNodes,
  nodesToPlainText,
  nodesToRichText,
  padded,
  plainTextToNodes,
  richTextToNodes,
} from './conversion'
import type { ChipElement, ParagraphElement, TextLeaf } from './model'
import { htmlToNodes } from './pasteHtml'

export interface ClipboardOptions {
  singleLine: boolean
  formatting: boolean
  /** most characters of the text */
  max: number
  /** name of a variable, for copying */
  nameOf: (id: string) => string | undefined
  /** id of a variable, for pasting `{Name}` */
  idOf: (name: string) => string | undefined
  /** called with the number of pasted and kept characters if a paste was cut */
  onCut?: (cut: { pasted: number; kept: number }) => void
}

/** The clipboard type of our texts, which contain variables' names: in another flow they have other ids. */
const FRAGMENT = 'application/x-parley-text'

/** Clipboard texts by type: a DataTransfer, or a copy of one. */
export type ClipboardTexts = Pick<DataTransfer, 'getData'>

/** Parses copied rich text, as if pasted into an empty text without a cap. */
export const readRichText = (data: ClipboardTexts, find: Pick<ClipboardOptions, 'nameOf' | 'idOf'>): RichText =>
  nodesToRichText(readClipboard(data, { singleLine: false, formatting: true, max: Number.POSITIVE_INFINITY, ...find }))

/** A paste may exceed the cap by this much, to be shortened by hand. A longer one is cut at the cap, with a notice. */
const LEEWAY = 5_000

/** Copies texts with chips, formatting and lists, and pastes what other programs copied. */
export function withClipboard(editor: Editor, options: ClipboardOptions): void {
  editor.setFragmentData = (data) => {
    const fragment = editor.getFragment()
    const content = nodesToRichText(fragment)
    const names = Object.fromEntries(richTextVariables(content).map((id) => [id, options.nameOf(id)]))
    data.setData('text/plain', nodesToPlainText(fragment, options.nameOf))
    data.setData(FRAGMENT, JSON.stringify({ content, names }))
  }
  editor.insertData = (data) => {
    const nodes = readClipboard(data, options)
    const pasted = richTextLength(nodesToRichText(nodes))
    const selected = editor.selection ? Editor.string(editor, editor.selection).length : 0
    const room = Math.max(0, options.max - richTextLength(nodesToRichText(editor.children)) + selected)
    const kept = pasted > room + LEEWAY ? room : pasted
    insertParagraphs(editor, kept < pasted ? cutNodes(nodes, kept) : nodes)
    if (kept < pasted) options.onCut?.({ pasted, kept })
  }
}

function readClipboard(data: ClipboardTexts, options: ClipboardOptions): ParagraphElement[] {
  const own = parseFragment(data.getData(FRAGMENT), options)
  const text = data.getData('text/plain')
  if (!options.formatting)
    return own ? plain(own, options.singleLine) : plainTextToNodes(joined(text, options), options.idOf)
  if (own) return own
  const html = data.getData('text/html')
  const nodes = html === '' ? [] : htmlToNodes(html, options.idOf)
  return nodes.length > 0 ? nodes : listedTextToNodes(text, options.idOf)
}

const joined = (text: string, { singleLine }: ClipboardOptions): string =>
  singleLine ? text.trim().replace(/\s*[\r\n]+\s*/g, ' ') : text

/** Without formatting and lists, and on a single line if required. */
function plain(nodes: readonly ParagraphElement[], singleLine: boolean): ParagraphElement[] {
  const lines = nodes.map(({ children }) =>
    children.map((child): TextLeaf | ChipElement =>
      isChipNode(child) ? chip(child.variable_id, child.path) : { text: child.text },
    ),
  )
  const wanted = singleLine ? [lines.flatMap((line, at) => (at > 0 ? [{ text: ' ' }, ...line] : line))] : lines
  return wanted.map((children) => ({ type: 'paragraph', children: padded(children) }))
}

/** Parses our own clipboard type; invalid data is ignored. */
function parseFragment(json: string, options: ClipboardOptions): ParagraphElement[] | null {
  if (json === '') return null
  try {
    const { content, names } = JSON.parse(json) as { content: RichText; names: Record<string, unknown> }
    if (!Array.isArray(content) || content.length === 0) return null
    return richTextToNodes(
      content.map((paragraph) => ({
        type: 'paragraph',
        ...listPlaceOf(paragraph),
        children: paragraph.children.map((inline) => cleanInline({ ...inline }, names ?? {}, options)),
      })),
    )
  } catch {
    return null
  }
}

function cleanInline(
  inline: Record<string, unknown>,
  names: Record<string, unknown>,
  options: ClipboardOptions,
): RichTextInline {
  const link = typeof inline.link === 'string' ? cleanLink(inline.link, names, options) : null
  const style = {
    ...(inline.bold === true && { bold: true as const }),
    ...(inline.italic === true && { italic: true as const }),
    ...(inline.underline === true && { underline: true as const }),
    ...(link !== null && { link }),
  }
  if (inline.variable !== true || typeof inline.variable_id !== 'string')
    return { text: String(inline.text ?? ''), ...style }
  const path = typeof inline.path === 'string' && isValuePath(inline.path) ? inline.path : undefined
  const part = cleanPart({ type: 'variable', variable_id: inline.variable_id, path }, names, options)
  if (part.type === 'text') return { text: part.text, ...style }
  return { text: '', variable: true, variable_id: part.variable_id, ...(path !== undefined && { path }), ...style }
}

/** A variable of another flow is matched by name; if there is none, its name becomes text. */
function cleanPart(part: DynamicPart, names: Record<string, unknown>, { nameOf, idOf }: ClipboardOptions): DynamicPart {
  if (part.type === 'text') return part
  const name = names[part.variable_id]
  if (nameOf(part.variable_id) !== undefined || typeof name !== 'string') return part
  const id = idOf(name)
  return id === undefined ? { type: 'text', text: `{${name}${part.path ?? ''}}` } : { ...part, variable_id: id }
}

function cleanLink(link: string, names: Record<string, unknown>, options: ClipboardOptions): string | null {
  const value = readLink(link)
  const cleaned: typeof value =
    value.type === 'static' ? value : { ...value, parts: value.parts.map((part) => cleanPart(part, names, options)) }
  return linkProblem(cleaned) === null ? writeLink(cleaned) : null
}

/** The first characters, without splitting a surrogate pair. */
function cutNodes(nodes: readonly ParagraphElement[], characters: number): ParagraphElement[] {
  let left = characters
  const kept: ParagraphElement[] = []
  for (const node of nodes) {
    if (left <= 0) break
    const children = node.children.flatMap((child): (TextLeaf | ChipElement)[] => {
      if (left <= 0) return []
      if (isChipNode(child)) return [child]
      const text = child.text.slice(0, left).replace(/[\ud800-\udbff]$/, '')
      left -= child.text.length
      return [{ ...child, text }]
    })
    kept.push({ ...node, children: padded(children) })
  }
  return kept
}

/** Inserts paragraphs at the cursor: the first joins the present line, the last is joined by the rest of it. */
export function insertParagraphs(editor: Editor, paragraphs: readonly ParagraphElement[]): void {
  const [first, ...others] = paragraphs
  if (!first) return
  if (editor.selection && Range.isExpanded(editor.selection)) Transforms.delete(editor)
  Editor.withoutNormalizing(editor, () => {
    const here = paragraphAtCursor(editor)
    if (!here) return
    const [current, path] = here
    const around = listPlaceOf(current)
    // an empty line takes the style of the paste; in the middle of a text the text's style is kept
    if (first.list && current.children.length === 1 && Editor.string(editor, path) === '')
      Transforms.setNodes<ParagraphElement>(editor, listPlaceOf(first), { at: path })
    insertInlines(editor, first)
    const last = others.pop()
    if (!last) return
    Transforms.splitNodes(editor, { always: true })
    const next = Path.next(path)
    const between = others.map((one) => ({ ...one, ...placeIn(one, around) }))
    if (between.length > 0) Transforms.insertNodes(editor, structuredClone(between), { at: next })
    const end = [...path.slice(0, -1), (next.at(-1) ?? 0) + between.length]
    Transforms.unsetNodes<ParagraphElement>(editor, ['list', 'level'], { at: end })
    Transforms.setNodes<ParagraphElement>(editor, placeIn(last, around), { at: end })
    Transforms.select(editor, Editor.start(editor, end))
    insertInlines(editor, last)
  })
}

/** Lines pasted into a list item become items, too. */
const placeIn = (paragraph: ParagraphElement, around: ListPlace): ListPlace =>
  paragraph.list ? listPlaceOf(paragraph) : around

function paragraphAtCursor(editor: Editor): [ParagraphElement, Path] | undefined {
  if (!editor.selection) Transforms.select(editor, Editor.end(editor, []))
  const [entry] = Editor.nodes<ParagraphElement>(editor, { match: isParagraph })
  return entry
}

const isParagraph = (node: Node): node is ParagraphElement => Element.isElement(node) && node.type === 'paragraph'

export function insertInlines(editor: Editor, paragraph: ParagraphElement): void {
  const inlines = paragraph.children.filter((child) => isChipNode(child) || child.text !== '')
  if (inlines.length > 0) Transforms.insertNodes(editor, structuredClone(inlines) as Descendant[], { select: true })
  const last = inlines.at(-1)
  if (last && isChipNode(last)) Transforms.move(editor)
}
