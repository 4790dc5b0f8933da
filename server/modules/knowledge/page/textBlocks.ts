import { isElement, type PageElement, textOf } from './dom'

/** A paragraph, an item, a cell, or text that stands for itself. */
export interface TextBlock {
  text: string
  /** characters in links */
  linked: number
  /** the innermost element around it */
  element: PageElement
}

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'.split(
    ' ',
  ),
)

/** The texts of an element, as its blocks cut them. */
export function textBlocks(root: PageElement): TextBlock[] {
  const blocks: TextBlock[] = []
  let text = ''
  let linked = 0
  const close = (element: PageElement) => {
    const said = text.replace(/\s+/g, ' ').trim()
    if (said !== '') blocks.push({ text: said, linked: Math.min(linked, said.length), element })
    text = ''
    linked = 0
  }
  const walk = (element: PageElement) => {
    for (const node of element.childNodes) {
      if (!isElement(node)) {
        if (node.nodeType === 3) text += node.textContent ?? ''
      } else if (BLOCKS.has(node.tagName)) {
        close(element)
        walk(node)
        close(node)
      } else if (node.tagName === 'BR') text += ' '
      else {
        if (node.tagName === 'A') linked += textOf(node).length
        walk(node)
      }
    }
  }
  walk(root)
  close(root)
  return blocks
}
