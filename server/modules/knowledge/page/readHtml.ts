import { pageKind } from './articleSigns'
import { mainContent } from './mainContent'
import { normalizeUrl, siteOf } from './normalizeUrl'
import { toMarkdown } from './toMarkdown'
import { findAll, type PageTree, parseTree, type TreeElement, treeText, walk } from './tree'

/** A page's content and metadata. */
export interface HtmlContent {
  title: string
  markdown: string
  /** ISO 639-1, if declared */
  language: string | null
  /** its canonical address, if on the same site */
  canonical: string | null
  /** absolute links without duplicates; none if it asks not to follow them */
  links: string[]
  /** whether it asks not to be indexed */
  noindex: boolean
  /** the target of an automatic redirect within seconds */
  refresh: string | null
  /** whether it is little more than a login form */
  login: boolean
  /** whether it says that the page does not exist, despite the server's status */
  missing: boolean
  /** whether it has scripts */
  scripted: boolean
  /**
   * whether scripts fill it: it has an empty container, or a message for browsers without scripts, and hardly anything
   * else
   */
  unfinished: boolean
}

const MOST_LINKS = 5_000
/** Every link is as long as what it is relative to. */
const MOST_BASE = 2_000
const MOST_TITLE = 500
/** Pages with fewer characters of own text are examined for the reason. */
const SHORT = 400
const HEADINGS = new Set('h1 h2 h3 h4 h5 h6 summary dt'.split(' '))
const AROUND = new Set(['nav', 'header', 'footer'])
/** Where applications draw themselves. */
const PLACES = new Set(['root', 'app', '__next', '__nuxt', '___gatsby'])
/** Names of folded content: questions and answers, tabs, "read more". */
const FOLDED = /accordion|collaps|faq|answer|panel|tab|toggle|expand|details|read-?more|content/i
const MISSING =
  /^(?:(?:error )?404\b|(?:page|seite|página|pagina) (?:not found|nicht gefunden|no encontrada|não encontrada|non trovata|introuvable)|not found$|nothing (?:was )?found$|sorry, (?:this|the|that) page)/i

/** Extracts a page's main content as Markdown. Slow for large pages: called by `parsePage`. @param url its address */
export function readHtml(html: string, url: string): HtmlContent {
  const page = parseTree(html)
  const { root } = page
  const base = page.base.length <= MOST_BASE && URL.canParse(page.base, url) ? new URL(page.base, url).href : url
  const said = robotsOf(page)
  const about = {
    language: languageOf(page),
    canonical: canonicalOf(page, base, url),
    links: said.nofollow ? [] : linksOf(root, base),
    noindex: said.noindex,
    refresh: refreshOf(page, base),
    scripted: page.hasScript,
  }
  const frame = isFrame(page)
  const password = findAll(root, ({ tag, attributes: { type } }) => tag === 'input' && /^password$/i.test(type ?? ''))
  unfold(root)
  const heading = textOfFirst(root, 'h1')
  const title = titleOf(page, heading)
  const content = mainContent(root, { kind: pageKind(page), isHome: new URL(url).pathname === '/' })
  for (const part of content) finishLinks(part, base)
  const text = content.map((part) => treeText(part, SHORT)).join(' ')
  const short = text.length < SHORT
  return {
    ...about,
    title: (title || heading).slice(0, MOST_TITLE),
    markdown: content.map(toMarkdown).filter(Boolean).join('\n\n'),
    login: password.length > 0 && short,
    unfinished: frame && text.length < 200,
    missing: short && (MISSING.test(heading) || MISSING.test(title)),
  }
}

/** Unfolds what is folded, and makes buttons in headings their text. */
function unfold(root: TreeElement): void {
  walk(root, (element) => {
    const { tag, attributes } = element
    if (tag === 'button' && (attributes['aria-expanded'] !== undefined || element.closest(HEADINGS)))
      element.tag = 'span'
    const isHidden =
      attributes.hidden !== undefined ||
      attributes['aria-hidden'] === 'true' ||
      (attributes.style?.includes('display') ?? false)
    if (!isHidden || element.length < 20 || element.closest(AROUND)) return
    if (!FOLDED.test(`${element.get('class')} ${element.get('id')} ${element.get('role')}`)) return
    delete attributes.hidden
    delete attributes['aria-hidden']
    if (/display\s*:\s*none/i.test(element.get('style'))) delete attributes.style
  })
}

/** Makes addresses absolute. Links around nothing say nothing, and those into the page lead nowhere else. */
function finishLinks(content: TreeElement, base: string): void {
  for (const link of findAll(content, ({ tag }) => tag === 'a')) {
    const href = link.get('href').trim()
    const url = href !== '' && !href.startsWith('#') && URL.canParse(href, base) ? new URL(href, base) : null
    if (link.length === 0) link.remove()
    else if (url && /^(?:https?|mailto|tel):$/.test(url.protocol)) link.attributes.href = url.href
    else delete link.attributes.href
  }
}

const textOfFirst = (root: TreeElement, tag: string): string => {
  const [first] = findAll(root, (element) => element.tag === tag)
  return first ? treeText(first) : ''
}

const metaOf = ({ metas }: PageTree, key: 'property' | 'name' | 'http-equiv', value: string): string =>
  metas.find((meta) => meta[key]?.toLowerCase() === value)?.content ?? ''

function titleOf(page: PageTree, heading: string): string {
  const own = metaOf(page, 'property', 'og:title').replace(/\s+/g, ' ').trim()
  const title = page.title.replace(/\s+/g, ' ').trim()
  // "Prices | Acme" becomes Prices if that is the page's heading
  if (heading !== '' && heading.length < 150 && title.toLowerCase().includes(heading.toLowerCase())) return heading
  return own || title
}

/** Whether the page is an application's empty container, or a message for browsers without scripts. */
function isFrame({ root, hasScript }: PageTree): boolean {
  if (!hasScript) return false
  let isEmpty = false
  walk(root, (element) => {
    const { tag, attributes, length } = element
    const isPlace =
      PLACES.has(attributes.id ?? '') ||
      tag === 'app-root' ||
      attributes['data-reactroot'] !== undefined ||
      attributes['ng-app'] !== undefined
    if (isPlace) isEmpty ||= length < 50
    else if (tag === 'noscript') isEmpty ||= /java\s*script/i.test(treeText(element))
  })
  return isEmpty
}

function languageOf(page: PageTree): string | null {
  const said =
    page.html.lang ||
    page.html['xml:lang'] ||
    metaOf(page, 'http-equiv', 'content-language') ||
    metaOf(page, 'property', 'og:locale')
  return /^\s*([a-z]{2})(?:[-_]|\s*$)/i.exec(said)?.[1]?.toLowerCase() ?? null
}

/**
 * The declared canonical address: on the same site, and not the front page, which some sites declare for every page by
 * mistake.
 */
function canonicalOf({ relations }: PageTree, base: string, url: string): string | null {
  const { href } = relations.find(({ rel }) => /(?:^|\s)canonical(?:\s|$)/i.test(rel ?? '')) ?? {}
  const canonical = href ? normalizeUrl(href.trim(), base) : null
  if (!canonical || siteOf(canonical) !== siteOf(url)) return null
  const isFront = (address: string) => new URL(address).pathname === '/' && new URL(address).search === ''
  return isFront(canonical) && new URL(url).pathname !== '/' ? null : canonical
}

function robotsOf({ metas }: PageTree): { noindex: boolean; nofollow: boolean } {
  const said = metas
    .filter(({ name }) => /^(?:robots|parley)$/i.test(name ?? ''))
    .map(({ content }) => (content ?? '').toLowerCase())
    .join(',')
  return { noindex: /\b(?:noindex|none)\b/.test(said), nofollow: /\b(?:nofollow|none)\b/.test(said) }
}

/** Within ten seconds: a later refresh is a reload. */
function refreshOf(page: PageTree, base: string): string | null {
  const content = metaOf(page, 'http-equiv', 'refresh')
  const [, seconds, to] = /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i.exec(content) ?? []
  return to && Number(seconds) <= 10 && URL.canParse(to, base) ? new URL(to, base).href : null
}

function linksOf(root: TreeElement, base: string): string[] {
  const links = new Set<string>()
  const seen = new Set<string>()
  walk(root, (element) => {
    const { tag, attributes } = element
    const href = attributes.href?.trim()
    if ((tag !== 'a' && tag !== 'area') || href === undefined || links.size >= MOST_LINKS || seen.has(href)) return
    if (/\bnofollow\b/i.test(attributes.rel ?? '')) return
    seen.add(href)
    const url = normalizeUrl(href, base)
    if (url) links.add(url)
  })
  return [...links]
}
