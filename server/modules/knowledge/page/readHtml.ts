import { Readability } from '@mozilla/readability'
import { type PageDocument, type PageElement, parseDocument, textOf } from './dom'
import { normalizeUrl, siteOf } from './normalizeUrl'
import { toMarkdown } from './toMarkdown'

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
const MOST_TITLE = 500
/** Pages with fewer characters of own text are examined for the reason. */
const SHORT = 400
/** The least share of a page's words in its article; below it the whole page is used. */
const LEAST_SHARE = 0.5
/** The most nodes for Readability: it takes minutes for more. */
const MOST_ELEMENTS = 60_000

const UNSEEN = 'script, style, template, svg, canvas, iframe, object, embed, dialog'
const AROUND = [
  'nav, footer, menu, select, input, textarea, noscript, button, [aria-modal=true]',
  '[role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], [role=complementary]',
].join(', ')
/** Names of elements around the content, unless they contain this many characters: then they are the content. */
const NAMED =
  '[class*=cookie i], [id*=cookie i], [class*=consent i], [id*=consent i], [class*=breadcrumb i], [class*=skip-link i], [class*=share-buttons i]'
const MOST_NAMED = 2_000
/** Names of lists of further pages, if they contain little besides links. */
const LEADING_ON = ['related', 'recommend', 'similar', 'upsell', 'cross-sell', 'read-next', 'more-from']
  .flatMap((name) => [`[class*=${name} i]`, `[id*=${name} i]`])
  .join(', ')
const LITTLE_SHARE = 0.25
/** Names of buttons that unfold something, mostly a question. */
const UNFOLDING =
  'h1 button, h2 button, h3 button, h4 button, h5 button, h6 button, summary button, dt button, button[aria-expanded]'
/** Names of folded content: questions and answers, tabs, "read more". */
const FOLDED = /accordion|collaps|faq|answer|panel|tab|toggle|expand|details|read-?more|content/i
const MISSING =
  /^(?:(?:error )?404\b|(?:page|seite|página|pagina) (?:not found|nicht gefunden|no encontrada|não encontrada|non trovata|introuvable)|not found$|nothing (?:was )?found$|sorry, (?:this|the|that) page)/i

/** Extracts a page's main content as Markdown. Slow for large pages: called by `parsePage`. @param url its address */
export function readHtml(html: string, url: string): HtmlContent {
  const document = parseDocument(html)
  const base = baseOf(document, url)
  const said = robotsOf(document)
  const links = said.nofollow ? [] : linksOf(document, base)
  const about = {
    language: languageOf(document),
    canonical: canonicalOf(document, base, url),
    links,
    noindex: said.noindex,
    refresh: refreshOf(document, base),
    scripted: document.querySelector('script') !== null,
  }
  const frame = isFrame(document)
  const password = document.querySelector('input[type=password i]') !== null
  prepare(document, base)
  const heading = textOf(document.querySelector('h1'))
  const title = titleOf(document, heading)
  // without a head, the title is in the body
  for (const element of [...document.querySelectorAll('title')]) element.remove()
  const content = mainContent(document)
  const text = textOf(content)
  const short = text.length < SHORT
  return {
    ...about,
    title: (title || heading).slice(0, MOST_TITLE),
    markdown: toMarkdown(content),
    login: password && short,
    unfinished: frame && text.length < 200,
    missing: short && (MISSING.test(heading) || MISSING.test(title)),
  }
}

/** The page's article or, if none has most of its words, everything but navigation and the like. */
function mainContent(document: PageDocument): PageElement {
  const count = document.querySelectorAll('*').length
  const body = withoutAround(document)
  if (count > MOST_ELEMENTS) return body
  // Readability modifies its input, so it gets a copy. Typed for browser documents.
  const copy = parseDocument(`<html><body>${body.outerHTML}</body></html>`)
  const article = new Readability<PageElement>(copy as unknown as ConstructorParameters<typeof Readability>[0], {
    charThreshold: 200,
    keepClasses: false,
    serializer: (node) => node as unknown as PageElement,
  }).parse()
  const found = article?.content ?? null
  const own = found ? ownWords(found) : 0
  // only links: a menu, if the page has nothing else
  if (!found || own === 0) return body
  return own >= ownWords(body) * LEAST_SHARE && hasTablesOf(found, body) ? found : body
}

/** Whether tables within the text survived Readability, which may take them for layout. */
function hasTablesOf(found: PageElement, body: PageElement): boolean {
  const rows = (element: PageElement) => element.querySelectorAll('tr').length
  return rows(body) < 3 || rows(found) >= rows(body) / 2
}

/** Removes navigation and the like. @returns what is left: the only main element, otherwise everything */
function withoutAround(document: PageDocument): PageElement {
  const body = document.body ?? document
  for (const element of [...body.querySelectorAll(AROUND)]) element.remove()
  for (const element of [...body.querySelectorAll(NAMED)]) if (textOf(element).length < MOST_NAMED) element.remove()
  for (const element of [...body.querySelectorAll(LEADING_ON)])
    if (ownWords(element) < textOf(element).length * LITTLE_SHARE) element.remove()
  // headers of an article belong to it
  for (const element of [...body.querySelectorAll('header, aside')])
    if (!element.closest('article, section, main, [role=main]')) element.remove()
  const [main, another] = body.querySelectorAll('main, [role=main]')
  return main && !another && ownWords(main) > ownWords(body) / 4 ? main : body
}

/** Characters outside links: menus and lists of further pages are nearly all links. */
function ownWords(element: PageElement): number {
  let linked = 0
  for (const link of element.querySelectorAll('a')) linked += textOf(link).length
  return textOf(element).length - linked
}

/** Prepares a document for extraction: removes hidden parts, unfolds folded ones, makes addresses absolute. */
function prepare(document: PageDocument, base: string): void {
  for (const element of [...document.querySelectorAll(UNSEEN)]) element.remove()
  for (const element of [...document.querySelectorAll(UNFOLDING)]) element.replaceWith(...element.childNodes)
  for (const element of document.querySelectorAll('[hidden], [aria-hidden=true], [style*=display]')) {
    const told = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''} ${element.getAttribute('role') ?? ''}`
    if (!FOLDED.test(told) || textOf(element).length < 20 || element.closest('nav, header, footer')) continue
    element.removeAttribute('hidden')
    element.removeAttribute('aria-hidden')
    if (/display\s*:\s*none/i.test(element.getAttribute('style') ?? '')) element.removeAttribute('style')
  }
  for (const link of document.querySelectorAll('a[href]')) {
    const href = (link.getAttribute('href') ?? '').trim()
    if (
      href.startsWith('#') ||
      !URL.canParse(href, base) ||
      !/^(?:https?|mailto|tel):$/.test(new URL(href, base).protocol)
    )
      link.removeAttribute('href')
    else link.setAttribute('href', new URL(href, base).href)
  }
}

function titleOf(document: PageDocument, heading: string): string {
  const own = (document.querySelector('meta[property="og:title"]')?.getAttribute('content') ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const title = textOf(document.querySelector('head title') ?? document.querySelector('title'))
  // "Prices | Acme" becomes Prices if that is the page's heading
  if (heading !== '' && heading.length < 150 && title.toLowerCase().includes(heading.toLowerCase())) return heading
  return own || title
}

/** Whether the page is an application's empty container, or a message for browsers without scripts. */
function isFrame(document: PageDocument): boolean {
  if (document.querySelector('script') === null) return false
  const places = document.querySelectorAll(
    '#root, #app, #__next, #__nuxt, #___gatsby, app-root, [data-reactroot], [ng-app]',
  )
  for (const place of places) if (textOf(place).length < 50) return true
  for (const word of document.querySelectorAll('noscript')) if (/java\s*script/i.test(textOf(word))) return true
  return false
}

const baseOf = (document: PageDocument, url: string): string => {
  const href = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  return URL.canParse(href, url) ? new URL(href, url).href : url
}

function languageOf(document: PageDocument): string | null {
  const said =
    document.documentElement?.getAttribute('lang') ||
    document.documentElement?.getAttribute('xml:lang') ||
    document.querySelector('meta[http-equiv="content-language" i]')?.getAttribute('content') ||
    document.querySelector('meta[property="og:locale"]')?.getAttribute('content')
  return /^\s*([a-z]{2})(?:[-_]|\s*$)/i.exec(said ?? '')?.[1]?.toLowerCase() ?? null
}

/**
 * The declared canonical address: on the same site, and not the front page, which some sites declare for every page by
 * mistake.
 */
function canonicalOf(document: PageDocument, base: string, url: string): string | null {
  const href = document.querySelector('link[rel~=canonical i]')?.getAttribute('href')
  const canonical = href ? normalizeUrl(href.trim(), base) : null
  if (!canonical || siteOf(canonical) !== siteOf(url)) return null
  const isFront = (address: string) => new URL(address).pathname === '/' && new URL(address).search === ''
  return isFront(canonical) && new URL(url).pathname !== '/' ? null : canonical
}

function robotsOf(document: PageDocument): { noindex: boolean; nofollow: boolean } {
  const said = [...document.querySelectorAll('meta[name=robots i], meta[name=parley i]')]
    .map((meta) => (meta.getAttribute('content') ?? '').toLowerCase())
    .join(',')
  return { noindex: /\b(?:noindex|none)\b/.test(said), nofollow: /\b(?:nofollow|none)\b/.test(said) }
}

/** Within ten seconds: a later refresh is a reload. */
function refreshOf(document: PageDocument, base: string): string | null {
  const content = document.querySelector('meta[http-equiv=refresh i]')?.getAttribute('content') ?? ''
  const [, seconds, to] = /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i.exec(content) ?? []
  return to && Number(seconds) <= 10 && URL.canParse(to, base) ? new URL(to, base).href : null
}

function linksOf(document: PageDocument, base: string): string[] {
  const links = new Set<string>()
  for (const link of document.querySelectorAll('a[href], area[href]')) {
    if (/\bnofollow\b/i.test(link.getAttribute('rel') ?? '')) continue
    const url = normalizeUrl((link.getAttribute('href') ?? '').trim(), base)
    if (url) links.add(url)
    if (links.size >= MOST_LINKS) break
  }
  return [...links]
}
