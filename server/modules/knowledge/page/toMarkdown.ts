import { NodeHtmlMarkdown } from 'node-html-markdown'
import { isElement, type PageElement } from './dom'

/** Characters of HTML converted at once: the time is quadratic. */
const AT_ONCE = 20_000

/** Wrappers whose children are converted separately. */
const WRAPPERS = new Set(['BODY', 'DIV', 'ARTICLE', 'SECTION', 'MAIN', 'FORM', 'CENTER', 'HEADER', 'FIGURE', 'DETAILS'])
const BLOCKS = new Set([
  ...WRAPPERS,
  ...['P', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'DL', 'TABLE', 'PRE', 'BLOCKQUOTE', 'HR', 'ADDRESS'],
])

/** Syntax at the start of a line; the converter's own pattern is quadratic in a number's digits. */
const LINE_START = /^([^\S\n]*?)((?:\+\s)|(?:[=>-])|(?:#{1,6}\s))|(?:(?<!\d)(\d+)(\.\s))/gm

const translator = new NodeHtmlMarkdown({
  ignore: ['img', 'picture', 'video', 'audio', 'svg', 'noscript'],
  maxConsecutiveNewlines: 2,
  lineStartEscape: [LINE_START, '$1$3\\$2$4'],
  useInlineLinks: false,
})

/** Converts an element's content to Markdown with headings, lists, tables, code and links, without pictures. */
export function toMarkdown(element: PageElement): string {
  return piecesOf(element)
    .map((html) => translator.translate(html).trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The element's HTML in pieces that end at block boundaries. A single large block stays whole. */
function piecesOf(element: PageElement): string[] {
  const pieces: string[] = []
  let piece = ''
  const close = () => {
    if (piece !== '') pieces.push(piece)
    piece = ''
  }
  for (const node of element.childNodes) {
    const html = node.toString()
    if (isElement(node) && html.length > AT_ONCE && WRAPPERS.has(node.tagName)) {
      close()
      pieces.push(...piecesOf(node))
      continue
    }
    if (piece.length + html.length > AT_ONCE && isElement(node) && BLOCKS.has(node.tagName)) close()
    piece += html
  }
  close()
  return pieces
}
