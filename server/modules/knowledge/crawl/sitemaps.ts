import { OutboundError } from '../../../platform/outbound/errors'
import { runTask } from '../../../platform/workers/runTask'
import { TaskError } from '../../../platform/workers/taskError'
import { normalizeUrl } from '../page/normalizeUrl'
import type { Pages } from '../page/readPage'
import { readSitemapFile } from '../tasks'
import { MOST_BYTES, type SitemapFile } from './parseSitemap'
import type { Scope } from './scope'

/** The most sitemap files read per site. */
const MOST_FILES = 100
const USUAL = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz']

export interface Listed {
  /** without duplicates, in the order of the sitemaps */
  urls: string[]
  /** there was more than was read */
  more: boolean
  /** number of sitemaps read */
  files: number
  /** why a file could not be read: the first one's reason */
  problem: string | null
}

interface Wanted {
  /** which addresses are wanted */
  scope: Scope
  /** the most addresses */
  most: number
  /** the project's id */
  owner: string
  signal: AbortSignal
}

/**
 * The addresses listed by sitemaps. Starts at a sitemap (also an index, also compressed), or any page of a site: then
 * at the sitemaps in its robots.txt, otherwise at the usual paths.
 */
export async function readSitemaps(pages: Pages, start: string, wanted: Wanted): Promise<Listed> {
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
      wanted.signal.throwIfAborted()
      const { file, problem } = await readFile(pages, url, { ...wanted, most: wanted.most - urls.size })
      listed.problem ??= problem
      if (!file) continue
      listed.files++
      if (file.index) queue.push(...file.locations)
      else for (const location of file.locations) urls.add(location)
      listed.more ||= file.more
    }
  }

  await readAll([start])
  if (listed.files === 0) {
    const named = await pages.robots(start, wanted).then(
      ({ sitemaps }) => sitemaps.flatMap((sitemap) => normalizeUrl(sitemap, start) ?? []),
      () => [],
    )
    await readAll(named)
    for (const usual of USUAL) if (listed.files === 0) await readAll([new URL(usual, start).href])
  }
  return { ...listed, urls: [...urls] }
}

async function readFile(
  pages: Pages,
  url: string,
  { owner, signal, ...wanted }: Wanted,
): Promise<{ file: SitemapFile | null; problem: string | null }> {
  try {
    const { status, headers, body } = await pages.fetch(url, MOST_BYTES, { owner, signal })
    if (status >= 300) return { file: null, problem: `${url} answered with status ${status}.` }
    const given = { bytes: body, contentType: headers['content-type'], ...wanted }
    const file = await runTask(readSitemapFile, given, { owner, signal })
    return { file, problem: file ? null : `${url} is no sitemap.` }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof OutboundError) return { file: null, problem: error.message }
    if (error instanceof TaskError && error.fault !== 'failed')
      return { file: null, problem: `${url} takes too much time or memory to read.` }
    // a broken archive, or one that is too large
    return { file: null, problem: `${url} could not be unpacked.` }
  }
}
