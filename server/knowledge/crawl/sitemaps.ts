import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { OutsideError } from '../../outside/errors'
import { decodeText } from '../page/decodeText'
import { normalizeUrl } from '../page/normalizeUrl'
import type { Pages } from '../page/readPage'

/** Files of one site that are read. */
const MOST_FILES = 100
/** Bytes of one, unpacked, as the protocol allows. */
const MOST_BYTES = 50_000_000
const USUAL = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz']

export interface Listed {
  /** each once, in the order of the sitemaps */
  urls: string[]
  /** there was more than is read */
  more: boolean
  /** sitemaps that were read */
  files: number
  /** why a file could not be read: the first one's reason */
  problem: string | null
}

/**
 * The addresses that sitemaps list. The address is a sitemap's own (an index too, packed too), or any of a site: then those are read
 * that its robots.txt names, else the ones at the usual places.
 * @param accept which addresses count @param most of them
 */
export async function readSitemaps(
  pages: Pages,
  start: string,
  { most, accept, signal }: { most: number; accept: (url: string) => boolean; signal: AbortSignal },
): Promise<Listed> {
  const urls = new Set<string>()
  const seen = new Set<string>()
  const listed: Listed = { urls: [], more: false, files: 0, problem: null }

  async function readAll(queue: string[]): Promise<void> {
    for (let url = queue.shift(); url !== undefined && !listed.more; url = queue.shift()) {
      if (seen.has(url)) continue
      seen.add(url)
      if (seen.size > MOST_FILES) {
        listed.more = true
        return
      }
      signal.throwIfAborted()
      const { file, problem } = await readFile(pages, url, signal)
      listed.problem ??= problem
      if (!file) continue
      listed.files++
      if (file.index) queue.push(...file.locations)
      else for (const location of file.locations) add(location)
    }
  }

  function add(location: string): void {
    const url = normalizeUrl(location)
    if (!url || !accept(url) || urls.has(url)) return
    if (urls.size >= most) listed.more = true
    else urls.add(url)
  }

  await readAll([start])
  if (listed.files === 0) {
    const named = await pages.robots(start).then(
      ({ sitemaps }) => sitemaps.flatMap((sitemap) => normalizeUrl(sitemap, start) ?? []),
      () => [],
    )
    await readAll(named)
    for (const usual of USUAL) if (listed.files === 0) await readAll([new URL(usual, start).href])
  }
  return { ...listed, urls: [...urls] }
}

interface SitemapFile {
  index: boolean
  locations: string[]
}

async function readFile(
  pages: Pages,
  url: string,
  signal: AbortSignal,
): Promise<{ file: SitemapFile | null; problem: string | null }> {
  try {
    const { status, headers, body } = await pages.fetch(url, MOST_BYTES, signal)
    if (status >= 300) return { file: null, problem: `${url} answered with status ${status}.` }
    const file = parseSitemap(decodeText(await unpacked(body), headers['content-type']))
    return { file, problem: file ? null : `${url} is no sitemap.` }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof OutsideError) return { file: null, problem: error.message }
    // of an archive that is broken, or larger than it may be
    return { file: null, problem: `${url} could not be unpacked.` }
  }
}

async function unpacked(body: Uint8Array): Promise<Uint8Array> {
  const packed = body[0] === 0x1f && body[1] === 0x8b
  return packed ? promisify(gunzip)(body, { maxOutputLength: MOST_BYTES }) : body
}

/** A sitemap, an index of them, or a list of addresses a line each. Null for what is none of these. */
export function parseSitemap(text: string): SitemapFile | null {
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
