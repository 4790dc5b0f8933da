import { Readability } from '@mozilla/readability'
import { ownWords, type PageKind } from './articleSigns'
import { removeBoilerplate, removeMenus } from './boilerplate'
import { type PageDocument, type PageElement, parseDocument, textOf } from './dom'
import { type TextBlock, textBlocks } from './textBlocks'

/** The most nodes for Readability: it takes minutes for more. */
const MOST_ELEMENTS = 60_000
/** A part that is called the text of an article, if it has this share of all paragraphs. */
const LEAST_PARAGRAPHS = 0.3
/** An inner part with so much of the outer one's paragraphs is the closer fit. */
const SAME = 0.9
const TEXT_OF_ARTICLE = /(?:^|[\s_-])(?:article|story|post|entry|news)[-_]{0,2}(?:body|content|text|copy)(?:\s|$)/i
/**
 * The least share of a page's content in what Readability finds; below it the whole page is used. Of what says that it
 * is an article the rest is other articles, and what readers say; of long texts much of it is; of others it is content.
 */
const LEAST = { article: 0.1, text: 0.5, other: 0.85 }
const LEAST_OF_ARTICLE = 250
/** A table of data: Readability keeps what has a summary. */
const DATA = 'table[summary=data]'
/** Characters in whole paragraphs that make a text. */
const LEAST_OF_TEXT = 1_000
const PARAGRAPH = 80
/** What is shorter and without a number is a label. */
const SHORT = 40
/** A block was kept if so many of its words are found in their order. */
const MOST_PAIRS = 0.7
/** What is more than that in links leads elsewhere. */
const LINKED = 0.33

/** What is known of a page before its content. */
export interface AboutPage {
  kind: PageKind
  /** whether it is a site's first page: several short parts, rarely a text */
  isHome: boolean
}

/** A page's content, in its parts: the article, or everything but navigation and the like. */
export function mainContent(document: PageDocument, { kind, isHome }: AboutPage): PageElement[] {
  const count = document.querySelectorAll('*').length
  const root = document.body ?? document
  removeBoilerplate(root, kind)
  const body = (kind === 'article' && textOfArticle(root)) || mainOf(root)
  removeMenus(body)
  if (count > MOST_ELEMENTS) return [body]
  const tables = [...body.querySelectorAll('table')].filter(isData)
  for (const table of tables) table.setAttribute('summary', 'data')
  // Readability modifies its input, so it gets a copy. Typed for browser documents.
  const copy = parseDocument(`<html><body>${body.outerHTML.replace(/<(\/?)aside\b/gi, '<$1section')}</body></html>`)
  const article = new Readability<PageElement>(copy as unknown as ConstructorParameters<typeof Readability>[0], {
    charThreshold: 200,
    keepClasses: false,
    serializer: (node) => node as unknown as PageElement,
  }).parse()
  const found = article?.content ?? null
  const missing = found ? missingIn(found, body) : null
  if (!found || !missing || !isWhole(found, missing, { kind, isHome })) return [body]
  // an article's other tables are of what stands beside it
  if (kind === 'article') return [found]
  const lost = new Set(missing.map(({ element }) => element.closest(DATA)))
  return [found, ...tables.filter((table) => lost.has(table))]
}

/** The content of a page that is not in what was found. */
function missingIn(found: PageElement, body: PageElement): TextBlock[] {
  const kept = new Set(textBlocks(found).flatMap(({ text }) => pairsOf(text)))
  return textBlocks(body).filter((block) => {
    if (!isContent(block)) return false
    const pairs = pairsOf(block.text)
    return pairs.filter((pair) => kept.has(pair)).length < pairs.length * MOST_PAIRS
  })
}

/** Whether what was found has enough of the words that are no labels and no links. */
function isWhole(found: PageElement, missing: readonly TextBlock[], { kind, isHome }: AboutPage): boolean {
  const blocks = textBlocks(found)
  const own = wordsOf(blocks)
  // only links: a menu, if the page has nothing else
  if (own === 0) return false
  const share = own / (own + wordsOf(missing))
  if (kind === 'article' && own >= LEAST_OF_ARTICLE) return share >= LEAST.article
  const prose = wordsOf(blocks.filter(({ text, linked }) => text.length >= PARAGRAPH && linked < text.length * LINKED))
  const isText = !isHome && prose >= LEAST_OF_TEXT && prose >= own / 2
  return share >= (isText ? LEAST.text : LEAST.other)
}

const isContent = ({ text, linked, element }: TextBlock): boolean =>
  linked < text.length * LINKED &&
  (text.length >= SHORT || /\d/.test(text) || /^(?:T[DH]|D[DT])$/.test(element.tagName))

const wordsOf = (blocks: readonly TextBlock[]): number =>
  blocks.reduce((sum, { text, linked }) => sum + text.length - linked, 0)

/** Words with the one before: Readability cuts paragraphs otherwise than the page does. */
function pairsOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word, at) => `${words[at - 1] ?? ''} ${word}`)
}

/** Whether a table has data rather than the layout of a page: short cells, several in a row, and no table in it. */
function isData(table: PageElement): boolean {
  if (table.getAttribute('role') === 'presentation' || table.querySelector('table')) return false
  const rows = [...table.querySelectorAll('tr')]
  const cells = table.querySelectorAll('td, th').length
  if (rows.length < 2 || cells < rows.length * 1.5) return false
  const words = ownWords(table)
  return words >= SHORT && words / cells < PARAGRAPH
}

/** The only main element, or the only article, if it has most of the words; otherwise everything. */
function mainOf(body: PageElement): PageElement {
  const [main, another] = body.querySelectorAll('main, [role=main]')
  return main && !another && ownWords(main) > ownWords(body) / 4 ? main : body
}

/** The part that is marked or called the text of the article, if most paragraphs are there. */
function textOfArticle(body: PageElement): PageElement | null {
  let most = paragraphsIn(body) * LEAST_PARAGRAPHS
  let best: PageElement | null = null
  for (const element of body.querySelectorAll('[itemprop~="articleBody" i], [class]')) {
    const isMarked = /articleBody/i.test(element.getAttribute('itemprop') ?? '')
    const names = (element.getAttribute('class') ?? '').replace(/([a-z])([A-Z])/g, '$1-$2')
    if (!isMarked && !TEXT_OF_ARTICLE.test(names)) continue
    const length = paragraphsIn(element)
    if (length === 0 || length < most) continue
    best = element
    most = length * SAME
  }
  return best
}

function paragraphsIn(element: PageElement): number {
  let length = 0
  for (const paragraph of element.querySelectorAll('p')) length += textOf(paragraph).length
  return length
}
