import { caps } from '../../../../engine/values/caps'
import { siteOf } from '../page/normalizeUrl'

/** What a crawl may look at: sites, and parts of addresses. */
export interface Scope {
  sites: ReadonlySet<string>
  include: readonly string[]
  exclude: readonly string[]
}

/** What is no page, by its name. */
const FILES =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|zip|gz|tgz|bz2|xz|rar|7z|tar|dmg|exe|msi|apk|iso|bin|css|m?js|json|xml|rss|atom|ics|vcf|woff2?|ttf|eot|docx?|xlsx?|pptx?|odt|ods|odp|epub|psd|ai)$/i
const MOST_SEGMENTS = 20
const MOST_PARAMS = 10
/** Addresses that differ in numbers and parameters alone: most that are looked at. */
const MOST_OF_A_FAMILY = 1_000
/** Of dates there is no end. */
const MOST_DATES = 60
const DATE = /(?:19|20)\d\d[-/_]?(?:0?[1-9]|1[0-2])(?!\d)/
const DATE_PARAM = /^(?:date|day|week|month|year|cal|calendar|start|end|from|to|tribe-bar-date|yr|mo)$/i

/** Whether a page of that address is wanted. The patterns are looked for anywhere in it. */
export function isWanted(url: string, { sites, include, exclude }: Scope): boolean {
  if (!sites.has(siteOf(url)) || exclude.some((pattern) => fits(url, pattern))) return false
  return isIncluded(url, include)
}

export const isIncluded = (url: string, include: readonly string[]): boolean =>
  include.length === 0 || include.some((pattern) => fits(url, pattern))

/** Whether an address holds the pieces of a pattern in their order; * stands for anything. */
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

/** Addresses that programs make without end, and files that are no pages. */
export function isTrap(text: string): boolean {
  if (text.length > caps.url) return true
  const url = new URL(text)
  if (FILES.test(url.pathname)) return true
  const segments = url.pathname.split('/').filter(Boolean)
  if (segments.length > MOST_SEGMENTS || url.searchParams.size > MOST_PARAMS) return true
  // a relative link that was meant from the root grows the same way each time: /a/b/a/b/a/b
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return [...counts.values()].some((count) => count > 2)
}

/** What addresses have in common of which there may be any number; null for those that are one of their kind. */
export function familyOf(text: string): { family: string; most: number } | null {
  const url = new URL(text)
  const names = [...url.searchParams.keys()]
  const dated = DATE.test(url.pathname) || DATE.test(url.search) || names.some((name) => DATE_PARAM.test(name))
  const path = url.pathname.replace(/\d+/g, '#')
  // an article of a day is called by more than the day
  const ofDate = dated && (names.length > 0 || !/[a-z]{4,}/i.test(url.pathname.slice(url.pathname.search(DATE))))
  if (names.length === 0 && !ofDate) return null
  return { family: `${url.host}${path}?${names.join('&')}`, most: ofDate ? MOST_DATES : MOST_OF_A_FAMILY }
}
