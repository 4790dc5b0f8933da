import { pageKind } from './articleSigns'
import { type PageDocument, type PageElement, parseDocument, textOf } from './dom'
import { mainContent } from './mainContent'
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
const UNSEEN = 'script, style, template, svg, canvas, iframe, object, embed, dialog'
const PICTURES = 'img, picture, video, audio, map'
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
  const page = { kind: pageKind(document), isHome: new URL(url).pathname === '/' }
  const password = document.querySelector('input[type=password i]') !== null
  prepare(document, base)
  const heading = textOf(document.querySelector('h1'))
  const title = titleOf(document, heading)
  // without a head, the title is in the body
  for (const element of [...document.querySelectorAll('title')]) element.remove()
  const content = mainContent(document, page)
  for (const part of content) removePictures(part)
  const text = content.map(textOf).join(' ')
  const short = text.length < SHORT
  return {
    ...about,
    title: (title || heading).slice(0, MOST_TITLE),
    markdown: content.map(toMarkdown).filter(Boolean).join('\n\n'),
    login: password && short,
    unfinished: frame && text.length < 200,
    missing: short && (MISSING.test(heading) || MISSING.test(title)),
  }
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

/** They have done their part once the content is found; links around nothing else say nothing. */
function removePictures(content: PageElement): void {
  for (const picture of [...content.querySelectorAll(PICTURES)]) picture.remove()
  for (const link of [...content.querySelectorAll('a')]) if (textOf(link) === '') link.remove()
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
