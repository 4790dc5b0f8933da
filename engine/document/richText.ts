import * as Y from 'yjs'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import {
  isChip,
  type Paragraph,
  plainRichText,
  type RichText,
  type RichTextChip,
  type RichTextInline,
} from '../values/richText'
import { listPlaceOf } from '../values/richTextLists'
import { isValuePath } from '../values/valuePath'
import { sameJson } from './blockData'

/**
 * Creates rich text in the form that slate-yjs binds: an XmlText whose embeds are paragraphs (XmlText, attributes
 * `type`, and in lists `list` and `level`), whose text carries marks as attributes and whose embeds are variable chips
 * (attributes `type: 'variable'`, `variable_id`, `path`, marks).
 */
export function createText(value: RichText): Y.XmlText {
  const text = new Y.XmlText()
  text.applyDelta(
    canonicalRichText(value).map((paragraph) => ({ insert: createParagraph(paragraph) })),
    { sanitize: false },
  )
  return text
}

/**
 * The content of a text in canonical form. Anything but paragraphs, chips and marked text (written by a foreign client)
 * is skipped.
 */
export function readText(text: Y.XmlText): RichText {
  return canonicalRichText(readEmbeds(text).map(readParagraph))
}

/**
 * Makes the text hold `value`. Paragraphs before and after the changed part stay untouched, with the carets in them.
 */
export function writeText(text: Y.XmlText, value: RichText): void {
  const wanted = canonicalRichText(value)
  const present = readEmbeds(text).map((paragraph) => canonicalParagraph(readParagraph(paragraph)))
  if (present.length !== text.length) {
    text.delete(0, text.length)
    present.length = 0
  }
  const same = (a: Paragraph | undefined, b: Paragraph | undefined) => !!a && !!b && sameJson(a as Json, b as Json)
  const most = Math.min(wanted.length, present.length)
  let head = 0
  while (head < most && same(wanted[head], present[head])) head += 1
  let tail = 0
  while (tail < most - head && same(wanted.at(-1 - tail), present.at(-1 - tail))) tail += 1
  const old = present.length - head - tail
  if (old > 0) text.delete(head, old)
  for (const [i, paragraph] of wanted.slice(head, wanted.length - tail).entries()) {
    text.insertEmbed(head + i, createParagraph(paragraph))
  }
}

/**
 * Canonical form: texts that look the same are equal. No empty or mergeable pieces, at least one paragraph, at least
 * one child in each.
 */
export function canonicalRichText(value: unknown): RichText {
  const paragraphs = Array.isArray(value) ? (value as RichText) : []
  return paragraphs.length ? paragraphs.map(canonicalParagraph) : plainRichText('')
}

function canonicalParagraph(paragraph: Paragraph): Paragraph {
  const children: RichTextInline[] = []
  for (const child of paragraph.children) {
    const last = children.at(-1)
    if (isChip(child)) children.push(canonicalChip(child.variable_id, child))
    else if (child.text === '') continue
    else if (last && !isChip(last) && sameJson(marksOf(last), marksOf(child))) last.text += child.text
    else children.push({ text: child.text, ...marksOf(child) })
  }
  return { type: 'paragraph', ...listPlaceOf(paragraph), children: children.length ? children : [{ text: '' }] }
}

const canonicalChip = (variableId: string, source: Record<string, unknown>): RichTextChip => ({
  text: '',
  variable: true,
  variable_id: variableId,
  ...pathOf(source),
  ...marksOf(source),
})

const pathOf = ({ path }: Record<string, unknown>): { path?: string } =>
  typeof path === 'string' && isValuePath(path) ? { path } : {}

type Marks = { bold?: true; italic?: true; underline?: true; link?: string }

function marksOf(source: Record<string, unknown>): Marks {
  const marks: Marks = {}
  if (source.bold === true) marks.bold = true
  if (source.italic === true) marks.italic = true
  if (source.underline === true) marks.underline = true
  if (typeof source.link === 'string' && source.link !== '') marks.link = source.link
  return marks
}

function createParagraph(paragraph: Paragraph): Y.XmlText {
  const element = createElement({ type: 'paragraph', ...listPlaceOf(paragraph) })
  element.applyDelta(
    paragraph.children.map((child) =>
      isChip(child)
        ? {
            insert: createElement({
              type: 'variable',
              variable_id: child.variable_id,
              ...pathOf(child),
              ...marksOf(child),
            }),
          }
        : { insert: child.text, attributes: marksOf(child) },
    ),
    { sanitize: false },
  )
  return element
}

function createElement(attributes: Record<string, unknown>): Y.XmlText {
  const element = new Y.XmlText()
  // XmlText's signature says string; slate-yjs and the encoding support any JSON
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value as string)
  return element
}

type Piece = { insert?: unknown; attributes?: Record<string, unknown> }

const readEmbeds = (text: Y.XmlText): Y.XmlText[] =>
  (text.toDelta() as Piece[]).flatMap(({ insert }) => (insert instanceof Y.XmlText ? [insert] : []))

function readParagraph(element: Y.XmlText): Paragraph {
  const children = (element.toDelta() as Piece[]).flatMap(({ insert, attributes = {} }): RichTextInline[] => {
    // a client that splits a surrogate pair leaves different halves on each replica
    if (typeof insert === 'string') return [{ text: cleanText(insert), ...marksOf(attributes) }]
    if (!(insert instanceof Y.XmlText)) return []
    const chip = insert.getAttributes() as Record<string, unknown>
    if (chip.type !== 'variable' || typeof chip.variable_id !== 'string' || chip.variable_id === '') return []
    return [canonicalChip(chip.variable_id, chip)]
  })
  return { type: 'paragraph', ...listPlaceOf(element.getAttributes() as Record<string, unknown>), children }
}
