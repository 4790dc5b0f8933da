import type { Db } from '../../../platform/database/database'
import { siteOf, urlKey } from '../page/normalizeUrl'
import type { LinkedPdf, Page, PageRead } from '../page/pageRead'
import type { UnreadPage } from '../page/reasons'
import {
  addPages,
  type CrawlRow,
  lockFinding,
  pagesOf,
  type Settled,
  settlePage,
  settlePages,
  standingAt,
  type WaitingPage,
} from './frontier'
import { createMetAddresses, type MetAddresses } from './metAddresses'
import { isIncluded, isWanted } from './scope'

/** Attempts for a page whose server is busy, slow or unavailable. */
const ATTEMPTS = 3

/** Consecutive pages that fail because the site is slow or unavailable, before the crawl gives up. */
export const MOST_FAILURES = 30

/** A page that was read, to be stored. */
export interface Visit {
  page: WaitingPage
  read: PageRead
}
export interface Written {
  /** not if the crawl has ended, enough was found, or the site is unavailable */
  goesOn: boolean
  /** pages found so far */
  found: number
}

/**
 * Stores the results of visits: what the pages are, and their links. One transaction with the crawl locked: after a
 * crash a page has been visited with its links in the frontier, or not at all.
 * @param met addresses of links that earlier batches of this crawl dealt with
 */
export async function writeVisits(
  db: Db,
  of: CrawlRow,
  visits: readonly Visit[],
  met: MetAddresses = createMetAddresses(),
): Promise<Written> {
  met.drop()
  const written = await db.transaction().execute(async (trx) => {
    const crawl = await lockFinding(trx, of)
    if (!crawl) return { goesOn: false, found: 0 }
    const { waiting, sites, same, ...standing } = await standingAt(trx, crawl, visits.map(toLookUp))
    let { found } = standing
    let goesOn = true
    const links = new Map<number, string[]>()
    let settled: Settled[] = []
    /** In the order of the visits, as one after the other would be written. */
    const flush = async () => {
      for (const [depth, urls] of links) await addPages(trx, crawl, urls, { depth, sites })
      links.clear()
      await settlePages(trx, crawl, settled)
      settled = []
    }
    for (const { page, read } of visits) {
      if (!waiting.has(page.id)) continue
      if (!read.ok) {
        goesOn = await writeFailure(trx, crawl, page, read)
        if (!goesOn) break
        continue
      }
      if ('unchanged' in read) throw new Error('A page that was asked for without a mark is never unchanged.')
      if (crawl.failures > 0) await countFailures(trx, crawl, 0)
      if (found >= crawl.max_pages) {
        goesOn = false
        break
      }
      const isMoved = urlKey(read.url) !== page.key
      if (isMoved) await flush()
      const at = isMoved ? await placeOf(trx, crawl, page, read, sites) : page
      if (!at) continue
      if ('markdown' in read && crawl.mode === 'crawl' && at.depth < crawl.depth)
        links.set(at.depth + 1, [...(links.get(at.depth + 1) ?? []), ...met.unmet(read.links)])
      const outcome = judge(crawl, at, read, same)
      if (outcome.state === 'found') {
        same.set(read.fingerprint, at.url)
        found++
      }
      waiting.delete(at.id)
      settled.push({ ...outcome, id: at.id })
    }
    await flush()
    return { goesOn, found }
  })
  met.keep()
  return written
}

const toLookUp = ({ page, read }: Visit) => ({
  id: page.id,
  fingerprint: read.ok && 'fingerprint' in read ? read.fingerprint : null,
})

async function writeFailure(trx: Db, crawl: CrawlRow, page: WaitingPage, read: UnreadPage): Promise<boolean> {
  const attempts = page.attempts + 1
  const failures = read.passing ? crawl.failures + 1 : 0
  await countFailures(trx, crawl, failures)
  const again = read.passing && attempts < ATTEMPTS
  const state = again ? 'waiting' : read.code === 'robots' ? 'left_out' : 'failed'
  await settlePage(trx, crawl, page, { state, attempts, reason: read.reason })
  return failures < MOST_FAILURES
}

async function countFailures(trx: Db, crawl: CrawlRow, failures: number): Promise<void> {
  const { project_id, id } = crawl
  crawl.failures = failures
  await trx.updateTable('crawls').set({ failures }).where('project_id', '=', project_id).where('id', '=', id).execute()
}

/**
 * The frontier entry for a page that redirected or has another canonical address: that address's, which is visited
 * later unless its content was read. Null: nothing to store now.
 */
async function placeOf(
  trx: Db,
  crawl: CrawlRow,
  page: WaitingPage,
  read: Page | LinkedPdf,
  sites: Set<string>,
): Promise<WaitingPage | null> {
  const key = urlKey(read.url)
  const leave = (reason: string) => settlePage(trx, crawl, page, { state: 'left_out', reason })
  const other = await pagesOf(trx, crawl).select('id').where('key', '=', key).executeTakeFirst()
  const isStart = crawl.mode !== 'sitemap' && page.depth === 0
  if (isStart && !other) {
    await trx
      .updateTable('crawl_pages')
      .set({ url: read.url, key })
      .where('project_id', '=', crawl.project_id)
      .where('crawl_id', '=', crawl.id)
      .where('id', '=', page.id)
      .execute()
    sites.add(siteOf(read.url))
    return { ...page, url: read.url, key }
  }
  if (!isWanted(read.url, { sites, include: crawl.include, exclude: crawl.exclude })) {
    await leave(
      sites.has(siteOf(read.url))
        ? `It leads to ${read.url}, which was not asked for.`
        : `It leads to another site: ${read.url}`,
    )
    return null
  }
  await leave(`It is the same page as ${read.url}`)
  const [added] = await addPages(trx, crawl, [read.url], { depth: page.depth, sites })
  const wasRead = !('address' in read) || urlKey(read.address) === key
  return added !== undefined && wasRead ? { ...page, id: added, url: read.url, key } : null
}

/** Decides whether a page is found, or skipped with a reason. @param same pages that were found, by what they say */
function judge(
  crawl: CrawlRow,
  page: WaitingPage,
  read: Page | LinkedPdf,
  same: ReadonlyMap<string, string>,
): Omit<Settled, 'id'> {
  const isPdf = 'pdf' in read
  const title = (isPdf ? nameOf(read.url) : read.title).slice(0, 500)
  const left = (reason: string) => ({ state: 'left_out' as const, title, reason, content_hash: null, blocks: null })
  if (!isPdf && read.noindex && crawl.mode !== 'page')
    return left('The page asks not to be in an index (noindex). Add it by its address if it is wanted all the same.')
  if (crawl.mode !== 'page' && !isIncluded(page.url, crawl.include))
    return left('It is none of the pages that were asked for: it was looked at for its links alone.')
  const content_hash = read.fingerprint
  const other = same.get(content_hash)
  if (other !== undefined) return left(`It says the same as ${other}`)
  return { state: 'found', title, reason: isPdf ? null : read.note, content_hash, blocks: isPdf ? null : read.blocks }
}

function nameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) || url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
