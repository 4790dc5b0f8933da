import { gunzipSync } from 'node:zlib'
import { decodeText } from '../page/decodeText'
import { normalizeUrl } from '../page/normalizeUrl'
import { isTrap, isWanted, type Scope } from './scope'

export interface SitemapBytes {
  bytes: Uint8Array
  /** the server's header */
  contentType: string | undefined
  /** which addresses are wanted */
  scope: Scope
  /** the most addresses to return */
  most: number
}

export interface SitemapFile {
  /** whether it lists sitemaps instead of pages */
  index: boolean
  /** of pages only wanted ones, without duplicates */
  locations: string[]
  /** whether it has more of them */
  more: boolean
}

/** Bytes of a file after decompression, the protocol's limit. */
export const MOST_BYTES = 50_000_000
/** The most sitemaps read of an index. */
const MOST_INDEXED = 1_000

/**
 * Parses a sitemap as received; null if it is not one. Slow for large ones: call it in a worker thread. @throws if it
 * can't be decompressed
 */
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

/** A sitemap, an index of sitemaps, or a list of addresses, one per line. Null for anything else. */
export function parseSitemap(text: string): { index: boolean; locations: string[] } | null {
  const head = text.slice(0, 10_000)
  if (/<(?:sitemapindex|urlset)\b/i.test(head)) {
    // images and videos of a page have element names of their own: image:loc
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
