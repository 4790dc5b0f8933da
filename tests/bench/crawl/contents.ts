import { Readability } from '@mozilla/readability'
import { parseDocument, textOf } from '../../../server/modules/knowledge/page/dom'

/** All that a page says, but for what programs read. */
export function wholeBody(html: string): string {
  const document = parseDocument(html)
  for (const element of [...document.querySelectorAll('script, style, noscript')]) element.remove()
  return spaced(document.body?.outerHTML ?? '')
}

/** What Readability takes for the article, left to itself. */
export function article(html: string): string {
  const document = parseDocument(html)
  const found = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0]).parse()
  return spaced(found?.content ?? '')
}

/** Words of elements that stand beside each other are two. */
const spaced = (html: string): string => textOf(parseDocument(html.replaceAll('<', ' <')).body)
