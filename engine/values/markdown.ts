import { readInline } from './markdownInline'
import type { RenderedParagraph, RenderedRichText, RichTextLeaf } from './richText'
import { MAX_LIST_LEVEL } from './richTextLists'
import { withoutEnd } from './withoutEnd'

const ITEM = /^(\s*)(?:[-*+•]|(\d{1,3})[.)])\s+(?=\S)/
const HEADING = /^#{1,6}\s+/
/** For a trimmed line. */
const RULE = /^(?:[-*_]\s*){3,}$|^\|?(?:\s*:?-{3,}:?\s*\|)+\s*:?-*:?\s*\|?$/
const EMPHASIS_ALONE = /^[-*_]{0,2}$/
const FENCE = /^(?:```|~~~)/

/**
 * Converts a model's Markdown to rich text: paragraphs, lists, bold, italics, links, addresses. A heading becomes a
 * bold line, a table its rows, code its text; anything else stays as it is. No consecutive empty lines, none at the
 * ends. Linear time for any input.
 */
export const markdownText = (markdown: string): RenderedRichText => createMarkdownReader()(markdown)

/**
 * Converts a growing text, as `markdownText` does: pass the whole text so far each time. Lines that were complete the
 * last time are not parsed again.
 */
export function createMarkdownReader(): (markdown: string) => RenderedRichText {
  let read = { markdown: '', paragraphs: [] as RenderedRichText, fenced: false }

  return (markdown) => {
    if (!markdown.startsWith(read.markdown)) read = { markdown: '', paragraphs: [], fenced: false }
    let { fenced } = read
    const take = (text: string): RenderedRichText =>
      text.split(/\r\n?|\n/).flatMap((line) => {
        const bare = line.trim()
        if (FENCE.test(bare)) fenced = !fenced
        else if (fenced) return paragraph([{ text: line }])
        else if (!RULE.test(bare) || EMPHASIS_ALONE.test(bare)) return lineOf(line)
        return []
      })
    // a line may continue until the next one begins, and of \r
    // the
    // may be missing
    const whole = markdown.lastIndexOf('\n') + 1
    if (whole > read.markdown.length) {
      const paragraphs = read.paragraphs.concat(
        take(markdown.slice(read.markdown.length, whole - 1).replace(/\r$/, '')),
      )
      read = { markdown: markdown.slice(0, whole), paragraphs, fenced }
    }
    return withoutGaps(read.paragraphs.concat(take(markdown.slice(whole))))
  }
}

function lineOf(line: string): RenderedParagraph {
  const heading = HEADING.exec(line)
  if (heading) {
    const text = withoutEnd(line.slice(heading[0].length).trimEnd(), '#').trimEnd()
    return paragraph(readInline(text, { bold: true }))
  }
  const item = ITEM.exec(line)
  if (item) {
    const level = Math.min(MAX_LIST_LEVEL, Math.floor((item[1] ?? '').replaceAll('\t', '  ').length / 2))
    const children = readInline(line.slice(item[0].length), {})
    return {
      type: 'paragraph',
      list: item[2] === undefined ? 'bullet' : 'number',
      ...(level > 0 && { level }),
      children,
    }
  }
  return paragraph(readInline(line.replace(/^\s*>\s?/, '').trimEnd(), {}))
}

const paragraph = (children: RichTextLeaf[]): RenderedParagraph => ({
  type: 'paragraph',
  children: children.length === 0 ? [{ text: '' }] : children,
})

const isEmpty = ({ children }: RenderedParagraph): boolean => children.every(({ text }) => text.trim() === '')

/** At most one empty line between paragraphs, none in or beside a list. */
function withoutGaps(paragraphs: RenderedRichText): RenderedRichText {
  const kept: RenderedRichText = []
  let gap: RenderedParagraph | null = null
  for (const each of paragraphs) {
    const before = kept.at(-1)
    if (isEmpty(each) && !each.list) gap ??= each
    else {
      // an empty item is not a gap, and has none beside it
      if (gap && before && !isEmpty(before) && !isEmpty(each) && !(before.list && each.list)) kept.push(gap)
      kept.push(each)
      gap = null
    }
  }
  return kept
}
