import { NodeHtmlMarkdown } from 'node-html-markdown'
import { isElement, type PageElement } from './dom'

/** Characters of HTML that are translated at once: the time grows with their square. */
const AT_ONCE = 20_000

/** Wrappers whose children are pieces of their own. */
const WRAPPERS = new Set(['BODY', 'DIV', 'ARTICLE', 'SECTION', 'MAIN', 'FORM', 'CENTER', 'HEADER', 'FIGURE', 'DETAILS'])
const BLOCKS = new Set([
  ...WRAPPERS,
  ...['P', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'DL', 'TABLE', 'PRE', 'BLOCKQUOTE', 'HR', 'ADDRESS'],
])

/** What means something at the start of a line; the translator's own pattern takes time by the square of a number's digits. */
const LINE_START = /^([^\S\n]*?)((?:\+\s)|(?:[=>-])|(?:#{1,6}\s))|(?:(?<!\d)(\d+)(\.\s))/gm

const translator = new NodeHtmlMarkdown({
  ignore: ['img', 'picture', 'video', 'audio', 'svg', 'noscript'],
  maxConsecutiveNewlines: 2,
  lineStartEscape: [LINE_START, '$1$3\\$2$4'],
  useInlineLinks: false,
})

/** An element's content as Markdown: headings, lists, tables, code and links are kept, pictures are not. */
export function toMarkdown(element: PageElement): string {
  return piecesOf(element)
    .map((html) => translator.translate(html).trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The element's HTML, in pieces that end where a block does. One block that is large stays whole. */
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
