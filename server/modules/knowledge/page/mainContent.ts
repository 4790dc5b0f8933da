import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { PageKind } from './articleSigns'
import { removeBoilerplate, removeMenus } from './boilerplate'
import { type TextBlock, textBlocks } from './textBlocks'
import { findAll, innerHtml, parseTree, type TreeElement, visit, walk } from './tree'

/** What Readability is given: it takes minutes for more nodes, and goes through all that are around each. */
const MOST_NODES = 60_000
const MOST_DEPTH = 100
const MOST_DEPTHS = 1_000_000
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
/** A table's summary: Readability keeps what has one. */
const DATA = 'data'
const TABLES = new Set(['table'])
/** What texts are made of, as those who write them in Markdown or an editor know it. */
const TEXT = new Set(
  'a abbr article b blockquote br cite code dd del dfn dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li main mark ol p pre q s samp small span strong sub sup time u ul var'.split(
    ' ',
  ),
)
/** The share of words in links that a text has at most. */
const PLAIN_LINKED = 0.1
/** Characters of an element's names that are looked at. */
const MOST_NAMES = 300
/** Characters in whole paragraphs that make a text. */
const LEAST_OF_TEXT = 1_000
const PARAGRAPH = 80
/** What is shorter and without a number is a label. */
const SHORT = 40
/** A block was kept if so many of its words are found in their order. */
const MOST_PAIRS = 0.7
/** More than a page of the greatest length has. */
const MOST_WORDS = 10_000_000
/** What is more than that in links leads elsewhere. */
const LINKED = 0.33

/** What is known of a page before its content. */
export interface AboutPage {
  kind: PageKind
  /** whether it is a site's first page: several short parts, rarely a text */
  isHome: boolean
}

/** A page's content, in its parts: the article, or everything but navigation and the like. */
export function mainContent(root: TreeElement, { kind, isHome }: AboutPage): TreeElement[] {
  removeBoilerplate(root, kind)
  const body = (kind === 'article' && textOfArticle(root)) || mainOf(root)
  removeMenus(body)
  if (isPlainText(body) || isTooMuch(body)) return [body]
  // Readability drops asides, which are notes: others are gone by now
  for (const aside of findAll(body, ({ tag }) => tag === 'aside')) aside.tag = 'section'
  const tables = findAll(body, isData)
  for (const table of tables) table.attributes.summary = DATA
  const found = articleOf(body)
  const missing = found ? missingIn(found, body) : null
  if (!found || !missing || !isWhole(found, missing, { kind, isHome })) return [body]
  // an article's other tables are of what stands beside it
  if (kind === 'article') return [found]
  const lost = new Set(missing.map(({ element }) => element.closest(TABLES)))
  return [found, ...tables.filter((table) => lost.has(table))]
}

/**
 * Whether a part is a text and nothing else: no element in it could stand beside a text, and few of its words lead
 * elsewhere. Readability would cost half of the time that a page takes, to find the same.
 */
function isPlainText(body: TreeElement): boolean {
  if (body.own < LEAST_OF_TEXT || body.linked > body.length * PLAIN_LINKED) return false
  let isPlain = true
  walk(body, ({ tag }) => {
    isPlain &&= TEXT.has(tag)
    return isPlain
  })
  return isPlain
}

const ENTITIES = /[&<>]/g

/** Whether Readability would take too long. */
function isTooMuch(body: TreeElement): boolean {
  let [nodes, depth, deepest, depths] = [0, 0, 0, 0]
  visit(body, {
    text(text) {
      // each sign that is written as an entity ends a node
      nodes += text.match(ENTITIES)?.length ?? 0
    },
    open() {
      nodes++
      depth++
      deepest = Math.max(deepest, depth)
      depths += depth
      return () => {
        depth--
      }
    },
  })
  return nodes > MOST_NODES || deepest > MOST_DEPTH || depths > MOST_DEPTHS
}

/** What Readability takes for the article. It needs a DOM, which is made of what is left alone. */
function articleOf(body: TreeElement): TreeElement | null {
  const { document } = parseHTML(`<html><body>${innerHtml(body)}</body></html>`)
  const article = new Readability(document, { charThreshold: 200, keepClasses: false }).parse()
  return article?.content ? parseTree(article.content).root : null
}

/** The content of a page that is not in what was found. */
function missingIn(found: TreeElement, body: TreeElement): TextBlock[] {
  const pairsOf = createPairs()
  const kept = new Set(textBlocks(found).flatMap(({ text }) => pairsOf(text)))
  return textBlocks(body).filter((block) => {
    if (!isContent(block)) return false
    const pairs = pairsOf(block.text)
    return pairs.filter((pair) => kept.has(pair)).length < pairs.length * MOST_PAIRS
  })
}

/** Whether what was found has enough of the words that are no labels and no links. */
function isWhole(found: TreeElement, missing: readonly TextBlock[], { kind, isHome }: AboutPage): boolean {
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
  linked < text.length * LINKED && (text.length >= SHORT || /\d/.test(text) || /^(?:t[dh]|d[dt])$/.test(element.tag))

const wordsOf = (blocks: readonly TextBlock[]): number =>
  blocks.reduce((sum, { text, linked }) => sum + text.length - linked, 0)

/**
 * Words with the one before, as numbers: Readability cuts paragraphs otherwise than the page does, and strings of two
 * words cost more than the rest of the comparison.
 */
function createPairs(): (text: string) => number[] {
  const ids = new Map<string, number>()
  return (text) => {
    let before = 0
    return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => {
      const id = ids.get(word) ?? ids.size + 1
      ids.set(word, id)
      const pair = before * MOST_WORDS + id
      before = id
      return pair
    })
  }
}

/** Whether a table has data rather than the layout of a page: short cells, several in a row, and no table in it. */
function isData(table: TreeElement): boolean {
  if (table.tag !== 'table' || table.get('role') === 'presentation' || table.own < SHORT) return false
  let rows = 0
  let cells = 0
  let isLayout = false
  walk(table, ({ tag }) => {
    if (tag === 'tr') rows++
    else if (tag === 'td' || tag === 'th') cells++
    else if (tag === 'table') isLayout = true
  })
  return !isLayout && rows >= 2 && cells >= rows * 1.5 && table.own / cells < PARAGRAPH
}

/** The only main element, if it has enough of the words; otherwise everything. */
function mainOf(body: TreeElement): TreeElement {
  const [main, another] = findAll(body, (element) => element.tag === 'main' || element.get('role') === 'main')
  return main && !another && main.own > body.own / 4 ? main : body
}

/** The part that is marked or called the text of the article, if most paragraphs are there. */
function textOfArticle(body: TreeElement): TreeElement | null {
  let most = paragraphsIn(body) * LEAST_PARAGRAPHS
  let best: TreeElement | null = null
  walk(body, (element) => {
    const names = element.get('class').slice(0, MOST_NAMES)
    const isText =
      /articleBody/i.test(element.get('itemprop')) ||
      (names !== '' && TEXT_OF_ARTICLE.test(names.replace(/([a-z])([A-Z])/g, '$1-$2')))
    if (!isText || element.length < most) return
    const length = paragraphsIn(element)
    if (length === 0 || length < most) return
    best = element
    most = length * SAME
  })
  return best
}

function paragraphsIn(element: TreeElement): number {
  let length = 0
  walk(element, (part) => {
    if (part.tag !== 'p') return true
    length += part.length
    return false
  })
  return length
}
