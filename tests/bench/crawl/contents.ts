import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { parseTree, treeText } from '../../../server/modules/knowledge/page/tree'

/** All that a page says, but for what programs read. */
export const wholeBody = (html: string): string => spaced(html)

/** What Readability takes for the article, left to itself. */
export function article(html: string): string {
  const { document } = parseHTML(html)
  const found = new Readability(document).parse()
  return spaced(found?.content ?? '')
}

/** Words of elements that stand beside each other are two. */
const spaced = (html: string): string => treeText(parseTree(html.replaceAll('<', ' <')).root)
