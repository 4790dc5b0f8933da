import type { Descendant } from 'slate'
import type { DynamicPart, DynamicValue } from '../../engine/values/dynamicValue'
import { isChip, type RichText, type RichTextInline } from '../../engine/values/richText'
import { listMarkers, listPlaceOf } from '../../engine/values/richTextLists'
import { splitPath } from '../../engine/values/valuePath'
import type { ChipElement, ParagraphElement, TextLeaf } from './model'

export const chip = (variableId: string, path?: string): ChipElement => ({
  type: 'variable',
  variable_id: variableId,
  ...(path !== undefined && { path }),
  children: [{ text: '' }],
})

export const isChipNode = (node: Descendant): node is ChipElement => 'type' in node && node.type === 'variable'

/** Converts rich text to Slate nodes. An empty text is one empty paragraph, which a cursor needs. */
export function richTextToNodes(value: RichText): ParagraphElement[] {
  const paragraphs = value.length > 0 ? value : [{ children: [] }]
  return paragraphs.map((paragraph) => ({
    type: 'paragraph',
    ...listPlaceOf(paragraph),
    children: padded(paragraph.children.map(inlineToNode)),
  }))
}

function inlineToNode(inline: RichTextInline): TextLeaf | ChipElement {
  if (!isChip(inline)) return { ...inline }
  const { text: _text, variable: _variable, ...rest } = inline
  return { type: 'variable', ...rest, children: [{ text: '' }] }
}

/** The inverse. Empty leaves, which Slate adds beside chips, are dropped unless a paragraph has nothing else. */
export function nodesToRichText(nodes: readonly Descendant[]): RichText {
  return nodes.map((node) => {
    const inlines = childrenOf(node).flatMap((child): RichTextInline[] => {
      if (isChipNode(child)) {
        const { type: _type, children: _children, ...rest } = child
        return [{ text: '', variable: true, ...rest }]
      }
      return 'text' in child && child.text !== '' ? [{ ...child }] : []
    })
    return { type: 'paragraph', ...listPlaceOf(node), children: inlines.length > 0 ? inlines : [{ text: '' }] }
  })
}

/** Converts a dynamic value to Slate nodes: one paragraph per line, no formatting. */
export function dynamicToNodes(value: DynamicValue): ParagraphElement[] {
  const parts: readonly DynamicPart[] = value.type === 'static' ? [{ type: 'text', text: value.value }] : value.parts
  const lines: (TextLeaf | ChipElement)[][] = [[]]
  for (const part of parts) {
    if (part.type === 'variable') lines.at(-1)?.push(chip(part.variable_id, part.path))
    else
      part.text.split('\n').forEach((text, index) => {
        if (index > 0) lines.push([])
        if (text !== '') lines.at(-1)?.push({ text })
      })
  }
  return lines.map((children) => ({ type: 'paragraph', children: padded(children) }))
}

/** The inverse: static if it contains no variable (SPEC.md 3); lines are joined by line breaks. */
export function nodesToDynamic(nodes: readonly Descendant[]): DynamicValue {
  const parts: DynamicPart[] = []
  const add = (text: string): void => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else if (text !== '') parts.push({ type: 'text', text })
  }
  nodes.forEach((node, index) => {
    if (index > 0) add('\n')
    for (const child of childrenOf(node)) {
      if (isChipNode(child)) parts.push(partOf(child))
      else if ('text' in child) add(child.text)
    }
  })
  if (parts.some((part) => part.type === 'variable')) return { type: 'dynamic', parts }
  return { type: 'static', value: parts.map((part) => (part.type === 'text' ? part.text : '')).join('') }
}

const partOf = ({ variable_id, path }: ChipElement): DynamicPart => ({
  type: 'variable',
  variable_id,
  ...(path !== undefined && { path }),
})

/**
 * Plain text for copying: one line per paragraph, items after their bullet or number, `{Name}` or `{Name.part}` for a
 * chip. `name` returns undefined for a deleted variable.
 */
export function nodesToPlainText(nodes: readonly Descendant[], name: (id: string) => string | undefined): string {
  const print = (child: Descendant): string =>
    isChipNode(child)
      ? `{${name(child.variable_id) ?? ''}${child.path ?? ''}}`
      : 'text' in child
        ? child.text
        : child.children.map(print).join('')
  const places = nodes.map((node) => ('type' in node ? listPlaceOf(node) : {}))
  const markers = listMarkers(places)
  return nodes
    .map((node, at) => {
      const marker = markers[at] == null ? '' : `${'  '.repeat(places[at]?.level ?? 0)}${markers[at]} `
      return marker + print(node)
    })
    .join('\n')
}

/**
 * Parses pasted text: one paragraph per line; `{Name}` and `{{Name}}` become chips if `find` knows the name, otherwise
 * they stay text.
 */
export function plainTextToNodes(text: string, find: FindVariable): ParagraphElement[] {
  return visibleText(text)
    .split('\n')
    .map((line) => ({ type: 'paragraph', children: padded(mergeTexts(textToInlines(line, find))) }))
}

/** Like `plainTextToNodes`, and recognises lists: bullets, or several lines with hyphens or numbers. */
export function listedTextToNodes(text: string, find: FindVariable): ParagraphElement[] {
  const lines = visibleText(text).split('\n')
  const isList = lines.filter((line) => WRITTEN_ITEM.test(line)).length > 1
  return lines.flatMap((line) => {
    const [whole, indent = '', bullet] = WRITTEN_ITEM.exec(line) ?? []
    if (whole === undefined || !(isList || bullet === '•')) return plainTextToNodes(line, find)
    const level = Math.floor(indent.replaceAll('\t', '  ').length / 2)
    const place = listPlaceOf({ list: bullet === undefined ? 'number' : 'bullet', level })
    return plainTextToNodes(line.slice(whole.length), find).map((node) => ({ ...node, ...place }))
  })
}

const WRITTEN_ITEM = /^([ \t]*)(?:([•*-])|\d{1,3}[.)])[ \t]+/

/** Id of a variable by its name. */
export type FindVariable = (name: string) => string | undefined

/** Parses a text without line breaks into texts and chips with the given formatting. */
export function textToInlines(text: string, find: FindVariable, marks: Omit<TextLeaf, 'text'> = {}) {
  const pieces = text.split(/(\{\{[^{}]*\}\}|\{[^{}]*\})/).filter((piece) => piece !== '')
  return pieces.map((piece): TextLeaf | ChipElement => {
    const { name, path } = splitPath(piece.replace(/^\{+|\}+$/g, ''))
    const id = piece.startsWith('{') ? find(name) : undefined
    return { ...(id === undefined ? { text: piece } : chip(id, path)), ...marks }
  })
}

/** The same as a dynamic value. */
export const textToDynamic = (text: string, find: FindVariable): DynamicValue =>
  nodesToDynamic([{ type: 'paragraph', children: textToInlines(text, find) }])

const visibleText = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll(CONTROL, '')

/** Control characters except tab and line feed: invisible remains of terminals and PDF files. */
const CONTROL = /[^\P{Cc}\t\n]/gu

const childrenOf = (node: Descendant): readonly Descendant[] => ('children' in node ? node.children : [node])

function mergeTexts(children: (TextLeaf | ChipElement)[]): (TextLeaf | ChipElement)[] {
  return children.reduce<(TextLeaf | ChipElement)[]>((merged, child) => {
    const last = merged.at(-1)
    if (last && 'text' in last && 'text' in child) merged[merged.length - 1] = { text: last.text + child.text }
    else merged.push(child)
    return merged
  }, [])
}

/** Adds the empty texts that Slate requires at both ends and between chips. */
export function padded(children: (TextLeaf | ChipElement)[]): (TextLeaf | ChipElement)[] {
  const result: (TextLeaf | ChipElement)[] = []
  for (const child of children) {
    const last = result.at(-1)
    if (isChipNode(child) && (!last || isChipNode(last))) result.push({ text: '' })
    result.push(child)
  }
  const last = result.at(-1)
  if (!last || isChipNode(last)) result.push({ text: '' })
  return result
}
