import type { TreeElement } from './tree'

/** A paragraph, an item, a cell, or text that stands for itself. */
export interface TextBlock {
  text: string
  /** characters in links */
  linked: number
  /** the innermost block around it */
  element: TreeElement
}

const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

/** The texts of an element, as its blocks cut them. */
export function textBlocks(root: TreeElement): TextBlock[] {
  const blocks: TextBlock[] = []
  let text = ''
  let linked = 0
  const close = (element: TreeElement) => {
    const said = text.replace(/\s+/g, ' ').trim()
    if (said !== '') blocks.push({ text: said, linked: Math.min(linked, said.length), element })
    text = ''
    linked = 0
  }
  const read = (element: TreeElement) => {
    for (const node of element.children) {
      if (typeof node === 'string') text += node
      else if (node.isGone) continue
      else if (BLOCKS.has(node.tag)) {
        close(element)
        read(node)
        close(node)
      } else if (node.tag === 'br') text += ' '
      else {
        if (node.tag === 'a') linked += node.length
        read(node)
      }
    }
  }
  read(root)
  close(root)
  return blocks
}
