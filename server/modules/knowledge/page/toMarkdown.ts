import { NodeHtmlMarkdown } from 'node-html-markdown'
import { nodeHtml, type TreeElement } from './tree'

/** Characters of HTML converted at once: the time is quadratic. */
const AT_ONCE = 20_000

/** Wrappers whose children are converted separately. */
const WRAPPERS = new Set('body div article section main form center header figure details'.split(' '))
const BLOCKS = new Set([...WRAPPERS, ...'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote hr address'.split(' ')])

/** Syntax at the start of a line; the converter's own pattern is quadratic in a number's digits. */
const LINE_START = /^([^\S\n]*?)((?:\+\s)|(?:[=>-])|(?:#{1,6}\s))|(?:(?<!\d)(\d+)(\.\s))/gm

const translator = new NodeHtmlMarkdown({
  ignore: ['img', 'picture', 'video', 'audio', 'svg', 'noscript'],
  maxConsecutiveNewlines: 2,
  lineStartEscape: [LINE_START, '$1$3\\$2$4'],
  useInlineLinks: false,
})

/** Converts an element's content to Markdown with headings, lists, tables, code and links, without pictures. */
export function toMarkdown(element: TreeElement): string {
  return piecesOf(element)
    .map((html) => translator.translate(html).trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The element's HTML in pieces that end at block boundaries. A single large block stays whole. */
function piecesOf(element: TreeElement): string[] {
  const pieces: string[] = []
  let piece = ''
  const close = () => {
    if (piece !== '') pieces.push(piece)
    piece = ''
  }
  for (const node of element.children) {
    const html = nodeHtml(node)
    const tag = typeof node === 'string' ? '' : node.tag
    if (typeof node !== 'string' && html.length > AT_ONCE && WRAPPERS.has(tag)) {
      close()
      pieces.push(...piecesOf(node))
      continue
    }
    if (piece.length + html.length > AT_ONCE && BLOCKS.has(tag)) close()
    piece += html
  }
  close()
  return pieces
}
