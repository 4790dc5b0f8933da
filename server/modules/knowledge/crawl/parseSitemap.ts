import { gunzipSync } from 'node:zlib'
import { decodeText } from '../page/decodeText'
import { normalizeUrl } from '../page/normalizeUrl'
import { isTrap, isWanted, type Scope } from './scope'

export interface SitemapBytes {
  bytes: Uint8Array
  /** as its server says */
  contentType: string | undefined
  /** which addresses count */
  scope: Scope
  /** addresses that are wanted of it */
  most: number
}

export interface SitemapFile {
  /** it lists sitemaps, not pages */
  index: boolean
  /** of pages those that count, each once */
  locations: string[]
  /** it has more of them */
  more: boolean
}

/** Bytes of a file, unpacked, as the protocol allows. */
export const MOST_BYTES = 50_000_000
/** Sitemaps of an index that are looked at. */
const MOST_INDEXED = 1_000

/** Reads a sitemap as it came; null for what is none. Slow for large ones: it is called in a thread. @throws where it can't be unpacked */
export function readSitemapFile({ bytes, contentType, scope, most }: SitemapBytes): SitemapFile | null {
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = decodeText(packed ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes, contentType)
  const parsed = parseSitemap(text)
  if (!parsed) return null
  const { index, locations } = parsed
  if (index) return { index, locations: locations.slice(0, MOST_INDEXED), more: locations.length > MOST_INDEXED }
  const urls = new Set<string>()
  for (const location of locations) {
    const url = normalizeUrl(location)
    if (!url || urls.has(url) || isTrap(url) || !isWanted(url, scope)) continue
    if (urls.size >= most) return { index, locations: [...urls], more: true }
    urls.add(url)
  }
  return { index, locations: [...urls], more: false }
}

/** A sitemap, an index of them, or a list of addresses a line each. Null for what is none of these. */
export function parseSitemap(text: string): { index: boolean; locations: string[] } | null {
  const head = text.slice(0, 10_000)
  if (/<(?:sitemapindex|urlset)\b/i.test(head)) {
    // images and films of a page are listed by names of their own: image:loc
    const found = text.matchAll(/<loc>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,4096})/gi)
    return { index: /<sitemapindex\b/i.test(head), locations: Array.from(found, ([, url = '']) => plain(url)) }
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/i.test(line))
    ? { index: false, locations: lines }
    : null
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole
      return String.fromCodePoint(Number(decimal ?? Number.parseInt(hex ?? '', 16)))
    },
  )
