import { Readability } from '@mozilla/readability'
import { type PageDocument, type PageElement, parseDocument, textOf } from './dom'
import { normalizeUrl, siteOf } from './normalizeUrl'
import { toMarkdown } from './toMarkdown'

/** What stands in a page, and what it says of itself. */
export interface HtmlContent {
  title: string
  markdown: string
  /** ISO 639-1, where it says it */
  language: string | null
  /** the address on its site that it calls its own */
  canonical: string | null
  /** absolute addresses, each once; none where it asks that they are not followed */
  links: string[]
  /** it asks to be in no index */
  noindex: boolean
  /** where it leads by itself, within seconds */
  refresh: string | null
  /** it is a form for a password, and little else */
  login: boolean
  /** it says that there is no such page, though the server answered with one */
  missing: boolean
  /** it has scripts */
  scripted: boolean
  /** scripts fill it: there is a place for what they make, or a word to those who run none, and hardly anything else */
  unfinished: boolean
}

const MOST_LINKS = 5_000
const MOST_TITLE = 500
/** Below this many characters of its own words a page is looked at for why it is so short. */
const SHORT = 400
/** An article with less than this share of a page's words is not all that the page is about. */
const LEAST_SHARE = 0.5
/** Nodes of a page that Readability weighs: it takes minutes for more. */
const MOST_ELEMENTS = 60_000

const UNSEEN = 'script, style, template, svg, canvas, iframe, object, embed, dialog'
const AROUND = [
  'nav, footer, menu, select, input, textarea, noscript, button, [aria-modal=true]',
  '[role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], [role=complementary]',
].join(', ')
/** What is called like that stands around, unless it holds this many characters: then the page is called by it. */
const NAMED =
  '[class*=cookie i], [id*=cookie i], [class*=consent i], [id*=consent i], [class*=breadcrumb i], [class*=skip-link i], [class*=share-buttons i]'
const MOST_NAMED = 2_000
/** What leads on to other pages, where it is called like that and says little beside its links. */
const LEADING_ON = ['related', 'recommend', 'similar', 'upsell', 'cross-sell', 'read-next', 'more-from']
  .flatMap((name) => [`[class*=${name} i]`, `[id*=${name} i]`])
  .join(', ')
const LITTLE_SHARE = 0.25
/** What is pressed to unfold something is called by it: a question, mostly. */
const UNFOLDING =
  'h1 button, h2 button, h3 button, h4 button, h5 button, h6 button, summary button, dt button, button[aria-expanded]'
/** Folded up until somebody clicks: questions and their answers, tabs, "read more". */
const FOLDED = /accordion|collaps|faq|answer|panel|tab|toggle|expand|details|read-?more|content/i
const MISSING =
  /^(?:(?:error )?404\b|(?:page|seite|página|pagina) (?:not found|nicht gefunden|no encontrada|não encontrada|non trovata|introuvable)|not found$|nothing (?:was )?found$|sorry, (?:this|the|that) page)/i

/** Reads a page's main content as Markdown. Slow for large pages: `parsePage` calls it. @param url its address */
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
  // where a page has no head, its title stands among its words
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

/** The article of the page; or, where there is none that holds most of its words, all but what stands around every page. */
function mainContent(document: PageDocument): PageElement {
  const count = document.querySelectorAll('*').length
  const body = withoutAround(document)
  if (count > MOST_ELEMENTS) return body
  // It takes apart what it reads, so it gets a copy. It is typed for browsers' documents.
  const copy = parseDocument(`<html><body>${body.outerHTML}</body></html>`)
  const article = new Readability<PageElement>(copy as unknown as ConstructorParameters<typeof Readability>[0], {
    charThreshold: 200,
    keepClasses: false,
    serializer: (node) => node as unknown as PageElement,
  }).parse()
  const found = article?.content ?? null
  const own = found ? ownWords(found) : 0
  // nothing but links: a menu, where the page has nothing else
  if (!found || own === 0) return body
  return own >= ownWords(body) * LEAST_SHARE && hasTablesOf(found, body) ? found : body
}

/** Tables that stand among the words are not lost with what Readability takes for a layout. */
function hasTablesOf(found: PageElement, body: PageElement): boolean {
  const rows = (element: PageElement) => element.querySelectorAll('tr').length
  return rows(body) < 3 || rows(found) >= rows(body) / 2
}

/** Takes away what stands around every page of a site. @returns what is left: of one main part that, else the whole */
function withoutAround(document: PageDocument): PageElement {
  const body = document.body ?? document
  for (const element of [...body.querySelectorAll(AROUND)]) element.remove()
  for (const element of [...body.querySelectorAll(NAMED)]) if (textOf(element).length < MOST_NAMED) element.remove()
  for (const element of [...body.querySelectorAll(LEADING_ON)])
    if (ownWords(element) < textOf(element).length * LITTLE_SHARE) element.remove()
  // those of an article are part of it
  for (const element of [...body.querySelectorAll('header, aside')])
    if (!element.closest('article, section, main, [role=main]')) element.remove()
  const [main, another] = body.querySelectorAll('main, [role=main]')
  return main && !another && ownWords(main) > ownWords(body) / 4 ? main : body
}

/** Characters outside links: menus and lists of more to read are nearly all links. */
function ownWords(element: PageElement): number {
  let linked = 0
  for (const link of element.querySelectorAll('a')) linked += textOf(link).length
  return textOf(element).length - linked
}

/** Brings a document into the state in which it is read: nothing unseen, all that can be unfolded, whole addresses. */
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
  // "Prices | Acme" is called Prices where the page's heading says so
  if (heading !== '' && heading.length < 150 && title.toLowerCase().includes(heading.toLowerCase())) return heading
  return own || title
}

/** What applications that are made by scripts have for a page: an empty place, or a word to those who run none. */
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

/** The address that it calls its own: on its own site, and not the site's front page for each page, as some say by mistake. */
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

/** Within ten seconds: later it is a page that is renewed. */
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
