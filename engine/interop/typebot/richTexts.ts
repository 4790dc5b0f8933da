import { caps } from '../../values/caps'
import { linkProblem, writeLink } from '../../values/linkAddress'
import type { Paragraph, RichText, RichTextInline } from '../../values/richText'
import { type ListPlace, listPlaceOf } from '../../values/richTextLists'
import { clip, type Fields, fieldsOf, isFields, listOf, stringOf, textOf } from '../fields'
import { splitVariables, toDynamicValue, type VariableNames } from './texts'

export interface Marks {
  bold?: true
  italic?: true
  underline?: true
  link?: string
}

/** A text holds up to 20,000 characters (SPEC.md 9), and its schema allows as many paragraphs and children. */
const MAX_LENGTH = 20_000
const MAX_PIECES = 20_000

/** Builds rich text incrementally, within the caps. */
export function createRichTextBuilder(names: VariableNames) {
  const paragraphs: Paragraph[] = []
  let children: RichTextInline[] = []
  let open = false
  let place: ListPlace = {}
  let room = MAX_LENGTH
  let pieces = MAX_PIECES
  let cut = false

  function push(child: RichTextInline) {
    if (pieces-- > 0) children.push(child)
    else cut = true
    open = true
  }
  function close(evenEmpty: boolean) {
    if (!open && !evenEmpty) return
    if (pieces-- > 0)
      paragraphs.push({ type: 'paragraph', ...place, children: children.length > 0 ? children : [{ text: '' }] })
    else cut = true
    children = []
    open = false
    place = {}
  }
  function add(text: string, marks: Marks) {
    for (const piece of splitVariables(text, names)) {
      if ('variableId' in piece)
        push({
          text: '',
          variable: true,
          variable_id: piece.variableId,
          ...(piece.path && { path: piece.path }),
          ...marks,
        })
      else addLines(piece.text, marks)
    }
  }
  function addLines(text: string, marks: Marks) {
    const kept = clip(text, room)
    if (kept.length < text.length) cut = true
    room -= kept.length
    // a line break inside an item stays in it: a paragraph between two items would restart their numbers
    if (place.list) return kept ? push({ text: kept.replace(/\r\n?/g, '\n'), ...marks }) : undefined
    for (const [index, line] of kept.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) close(true)
      if (line) push({ text: line, ...marks })
      else open = open || index > 0
    }
  }

  return {
    add,
    /** ends the paragraph; an empty one is only kept if `evenEmpty` */
    close,
    /** ends the paragraph, and makes the next one an item of a list */
    item(list: 'bullet' | 'number', depth: number) {
      close(false)
      place = listPlaceOf({ list, level: depth })
    },
    /** adds a link to marks, unless the address is invalid */
    link(marks: Marks, address: unknown): Marks {
      const written = textOf(address).trim()
      if (written === '') return marks
      const value = toDynamicValue(written, Number.POSITIVE_INFINITY, names)
      if (linkProblem(value) === null) return { ...marks, link: writeLink(value) }
      names.note(
        `The link to '${clip(written, 80)}' is left out: a link must start with https://, http://, mailto: or tel:, and have at most ${caps.url} characters.`,
      )
      return marks
    },
    finish(): RichText {
      close(false)
      if (cut) names.note(`The text is longer than ${MAX_LENGTH} characters and was cut.`)
      return paragraphs.length > 0 ? paragraphs : [{ type: 'paragraph', children: [{ text: '' }] }]
    },
  }
}

export type RichTextBuilder = ReturnType<typeof createRichTextBuilder>

/** Converts the product's rich text (a tree of nodes). */
export function fromRichTextNodes(nodes: unknown[], names: VariableNames): RichText {
  const builder = createRichTextBuilder(names)
  const unknown = new Set<string>()

  function walk(node: unknown, marks: Marks, list: List) {
    if (!isFields(node)) return
    const text = stringOf(node.text)
    const own = marksOf(node, marks)
    if (text !== undefined && !Array.isArray(node.children)) return builder.add(text, own)
    const type = textOf(node.type)
    if (type === 'inline-variable') return builder.add(textOf(node.value) || childText(node), own)
    if (type === 'a') return inline(node, builder.link(own, node.url), list)
    if (type === 'ul' || type === 'ol') {
      builder.close(false)
      for (const item of listOf(node.children)) {
        walk(item, own, { depth: list.depth + 1, kind: type === 'ol' ? 'number' : 'bullet' })
      }
      return
    }
    if (type === 'li') {
      builder.item(list.kind, list.depth)
      for (const child of listOf(node.children)) {
        const wrapper = fieldsOf(child).type
        if (wrapper === 'lic' || wrapper === 'p') inline(fieldsOf(child), marksOf(fieldsOf(child), own), list)
        else walk(child, own, list)
      }
      return builder.close(false)
    }
    if (type !== '' && !PARAGRAPHS.test(type) && !unknown.has(type)) {
      unknown.add(type)
      names.note(`Formatting of the kind '${clip(type, 40)}' is not known: its text is kept.`)
    }
    builder.close(false)
    inline(node, own, list)
    builder.close(PARAGRAPHS.test(type))
  }
  function inline(node: Fields, marks: Marks, list: List) {
    for (const child of listOf(node.children)) walk(child, marks, list)
  }

  for (const node of nodes) walk(node, {}, { depth: -1, kind: 'bullet' })
  return builder.finish()
}

/** The enclosing list: -1 is none, 0 the outermost. */
interface List {
  depth: number
  kind: 'bullet' | 'number'
}

const PARAGRAPHS = /^(p|lic|h[1-6]|blockquote|code_block|code_line)$/

const childText = (node: Fields): string =>
  listOf(node.children)
    .map((child) => textOf(fieldsOf(child).text))
    .join('')

function marksOf(node: Fields, marks: Marks): Marks {
  return {
    ...marks,
    ...(node.bold === true ? { bold: true } : {}),
    ...(node.italic === true ? { italic: true } : {}),
    ...(node.underline === true ? { underline: true } : {}),
  }
}
