import type { RenderedParagraph, RenderedRichText, RichTextLeaf } from './richText'
import { MAX_LIST_LEVEL } from './richTextLists'

type Style = Omit<RichTextLeaf, 'text'>

/** What a model writes runs on; nesting deeper than this is words. */
const DEEPEST = 8
/** A longer line is no writing: looking for its looks would take its time. */
const LONGEST = 5_000

const ITEM = /^(\s*)(?:[-*+•]|(\d{1,3})[.)])\s+(?=\S)/
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/
const RULE = /^\s*(?:[-*_]\s*){3,}$|^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/**
 * Markdown as models write it, as rich text: paragraphs, lists, bold, italics, links, addresses. A heading becomes a bold line, a table its
 * rows, code its letters; what is no Markdown stands as it is. No two empty lines in a row, none at the ends.
 */
export function markdownText(markdown: string): RenderedRichText {
  const paragraphs: RenderedRichText = []
  let fenced = false
  for (const line of markdown.replace(/\r\n?/g, '\n').split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    else if (fenced) paragraphs.push(paragraph([{ text: line }]))
    else if (!RULE.test(line) || /^\s*[-*_]{0,2}\s*$/.test(line)) paragraphs.push(lineOf(line))
  }
  return withoutGaps(paragraphs)
}

function lineOf(line: string): RenderedParagraph {
  const heading = HEADING.exec(line)
  if (heading) return paragraph(inline(heading[1] ?? '', { bold: true }))
  const item = ITEM.exec(line)
  if (item) {
    const level = Math.min(MAX_LIST_LEVEL, Math.floor((item[1] ?? '').replaceAll('\t', '  ').length / 2))
    const children = inline(line.slice(item[0].length), {})
    return {
      type: 'paragraph',
      list: item[2] === undefined ? 'bullet' : 'number',
      ...(level > 0 && { level }),
      children,
    }
  }
  return paragraph(inline(line.replace(/^\s*>\s?/, '').trimEnd(), {}))
}

const paragraph = (children: RichTextLeaf[]): RenderedParagraph => ({
  type: 'paragraph',
  children: children.length === 0 ? [{ text: '' }] : children,
})

const TOKEN =
  /\\([\\`*_{}[\]()#+\-.!|>~])|`([^`]+)`|\[([^\]]*)\]\((\S*?)\)|(https?:\/\/[^\s<>"'`\])}|\\^]*[^\s<>"'`\])}|\\^.,;:!?])|(\*\*|__)(?=\S)(.+?)(?<=\S)\6(?![*_])|(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\8(?![\p{L}\p{N}*_])/u

/** A line's words with their looks, the same ones joined. */
function inline(text: string, style: Style, depth = 0): RichTextLeaf[] {
  const leaves: RichTextLeaf[] = []
  const add = (more: RichTextLeaf[]) => {
    for (const leaf of more) {
      const last = leaves.at(-1)
      if (leaf.text === '') continue
      if (last && isAlike(last, leaf)) last.text += leaf.text
      else leaves.push({ ...leaf })
    }
  }
  let rest = text
  while (rest !== '') {
    const found = depth < DEEPEST && rest.length <= LONGEST ? TOKEN.exec(rest) : null
    if (!found) break
    const [whole, escaped, code, label, target, address, strong, strongText, , emphasis] = found
    add([{ ...style, text: rest.slice(0, found.index) }])
    if (escaped !== undefined) add([{ ...style, text: escaped }])
    else if (code !== undefined) add([{ ...style, text: code }])
    else if (target !== undefined) add(linked(label ?? '', target, style, depth))
    else if (address !== undefined)
      add([{ ...style, text: address, ...(style.link === undefined && { link: address }) }])
    else if (strong !== undefined) add(inline(strongText ?? '', { ...style, bold: true }, depth + 1))
    else add(inline(emphasis ?? '', { ...style, italic: true }, depth + 1))
    rest = rest.slice(found.index + whole.length)
  }
  add([{ ...style, text: rest }])
  return leaves.length === 0 ? [{ text: '' }] : leaves
}

function linked(label: string, target: string, style: Style, depth: number): RichTextLeaf[] {
  const words = label === '' ? target : label
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(target)) return inline(words, style, depth + 1)
  return inline(words, { ...style, link: target }, depth + 1)
}

const isAlike = (a: RichTextLeaf, b: RichTextLeaf): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.underline === b.underline && a.link === b.link

const isEmpty = ({ children }: RenderedParagraph): boolean => children.every(({ text }) => text.trim() === '')

/** One empty line between paragraphs at most, none in or beside a list. */
const withoutGaps = (paragraphs: RenderedRichText): RenderedRichText =>
  paragraphs.filter((each, at) => {
    if (!isEmpty(each) || each.list) return true
    const before = paragraphs[at - 1]
    const after = paragraphs.slice(at).find((next) => !isEmpty(next))
    return before !== undefined && after !== undefined && !isEmpty(before) && !(before.list && after.list)
  })
