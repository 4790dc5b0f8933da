import { caps } from '../../../../engine/values/caps'
import { siteOf } from '../page/normalizeUrl'

/** What a crawl may visit: sites, and patterns of addresses. */
export interface Scope {
  sites: ReadonlySet<string>
  include: readonly string[]
  exclude: readonly string[]
}

/** File names that are not pages. */
const FILES =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|zip|gz|tgz|bz2|xz|rar|7z|tar|dmg|exe|msi|apk|iso|bin|css|m?js|json|xml|rss|atom|ics|vcf|woff2?|ttf|eot|docx?|xlsx?|pptx?|odt|ods|odp|epub|psd|ai)$/i
const MOST_SEGMENTS = 20
const MOST_PARAMS = 10
/** The most addresses visited that differ only in numbers and parameters. */
const MOST_OF_A_FAMILY = 1_000
/** Calendars are endless. */
const MOST_DATES = 60
const DATE = /(?:19|20)\d\d[-/_]?(?:0?[1-9]|1[0-2])(?!\d)/
const DATE_PARAM = /^(?:date|day|week|month|year|cal|calendar|start|end|from|to|tribe-bar-date|yr|mo)$/i

/** Whether a page's address is wanted. Patterns match anywhere in it. */
export function isWanted(url: string, { sites, include, exclude }: Scope): boolean {
  if (!sites.has(siteOf(url)) || exclude.some((pattern) => fits(url, pattern))) return false
  return isIncluded(url, include)
}

export const isIncluded = (url: string, include: readonly string[]): boolean =>
  include.length === 0 || include.some((pattern) => fits(url, pattern))

/** Whether an address matches a pattern; * stands for any text. */
function fits(url: string, pattern: string): boolean {
  const text = url.toLowerCase()
  let at = 0
  for (const piece of pattern.toLowerCase().split('*')) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return true
}

/** Endless generated addresses, and files that are not pages. */
export function isTrap(text: string): boolean {
  if (text.length > caps.url) return true
  const url = new URL(text)
  if (FILES.test(url.pathname)) return true
  const segments = url.pathname.split('/').filter(Boolean)
  if (segments.length > MOST_SEGMENTS || url.searchParams.size > MOST_PARAMS) return true
  // a relative link meant from the root grows the same way each time: /a/b/a/b/a/b
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return [...counts.values()].some((count) => count > 2)
}

/** The common part of addresses of which there may be any number; null for single ones. */
export function familyOf(text: string): { family: string; most: number } | null {
  const url = new URL(text)
  const names = [...url.searchParams.keys()]
  const dated = DATE.test(url.pathname) || DATE.test(url.search) || names.some((name) => DATE_PARAM.test(name))
  const path = url.pathname.replace(/\d+/g, '#')
  // an article's path has more than its date
  const ofDate = dated && (names.length > 0 || !/[a-z]{4,}/i.test(url.pathname.slice(url.pathname.search(DATE))))
  if (names.length === 0 && !ofDate) return null
  return { family: `${url.host}${path}?${names.join('&')}`, most: ofDate ? MOST_DATES : MOST_OF_A_FAMILY }
}
