import type { Db } from '../../../platform/database/database'
import { siteOf, urlKey } from '../page/normalizeUrl'
import type { LinkedPdf, Page, PageRead } from '../page/pageRead'
import type { UnreadPage } from '../page/reasons'
import {
  addPages,
  type CrawlRow,
  lockFinding,
  type Outcome,
  pagesOf,
  settlePage,
  standingAt,
  type WaitingPage,
} from './frontier'
import { isIncluded, isWanted } from './scope'

/** Attempts for a page whose server is busy, slow or unavailable. */
const ATTEMPTS = 3

/** Consecutive pages that fail because the site is slow or unavailable, before the crawl gives up. */
export const MOST_FAILURES = 30

/**
 * Stores the result of a visit: what the page is, and its links. One transaction with the crawl locked: after a crash a
 * page has been visited with its links in the frontier, or not at all.
 * @returns whether to continue: not if the crawl has ended, enough was found, or the site is unavailable
 */
export function writeVisit(db: Db, of: CrawlRow, page: WaitingPage, read: PageRead): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const crawl = await lockFinding(trx, of)
    if (!crawl) return false
    const { waiting, found, sites } = await standingAt(trx, crawl, page)
    if (!waiting) return true
    if (!read.ok) return writeFailure(trx, crawl, page, read)
    if ('unchanged' in read) throw new Error('A page that was asked for without a mark is never unchanged.')
    if (crawl.failures > 0) await countFailures(trx, crawl, 0)
    if (found >= crawl.max_pages) return false
    const at = await placeOf(trx, crawl, page, read, sites)
    if (!at) return true
    if ('markdown' in read && crawl.mode === 'crawl' && at.depth < crawl.depth)
      await addPages(trx, crawl, read.links, { depth: at.depth + 1, sites })
    await settlePage(trx, crawl, at, await judge(trx, crawl, at, read))
    return true
  })
}

async function writeFailure(trx: Db, crawl: CrawlRow, page: WaitingPage, read: UnreadPage): Promise<boolean> {
  const attempts = page.attempts + 1
  const failures = read.passing ? crawl.failures + 1 : 0
  await countFailures(trx, crawl, failures)
  const again = read.passing && attempts < ATTEMPTS
  const state = again ? 'waiting' : read.code === 'robots' ? 'left_out' : 'failed'
  await settlePage(trx, crawl, page, { state, attempts, reason: read.reason })
  return failures < MOST_FAILURES
}

async function countFailures(trx: Db, { project_id, id }: CrawlRow, failures: number): Promise<void> {
  await trx.updateTable('crawls').set({ failures }).where('project_id', '=', project_id).where('id', '=', id).execute()
}

/**
 * The frontier entry for a page: its own; or, if it redirected or has another canonical address, that address's entry,
 * which is visited later unless its content was read. Null: nothing to store now.
 */
async function placeOf(
  trx: Db,
  crawl: CrawlRow,
  page: WaitingPage,
  read: Page | LinkedPdf,
  sites: Set<string>,
): Promise<WaitingPage | null> {
  const key = urlKey(read.url)
  if (key === page.key) return page
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

/** Decides whether a page is found, or skipped with a reason. */
async function judge(trx: Db, crawl: CrawlRow, page: WaitingPage, read: Page | LinkedPdf): Promise<Outcome> {
  const isPdf = 'pdf' in read
  const title = (isPdf ? nameOf(read.url) : read.title).slice(0, 500)
  const left = (reason: string): Outcome => ({ state: 'left_out', title, reason })
  if (!isPdf && read.noindex && crawl.mode !== 'page')
    return left('The page asks not to be in an index (noindex). Add it by its address if it is wanted all the same.')
  if (crawl.mode !== 'page' && !isIncluded(page.url, crawl.include))
    return left('It is none of the pages that were asked for: it was looked at for its links alone.')
  const content_hash = read.fingerprint
  const same = await pagesOf(trx, crawl)
    .select('url')
    .where('content_hash', '=', content_hash)
    .where('state', '=', 'found')
    .executeTakeFirst()
  if (same) return left(`It says the same as ${same.url}`)
  return { state: 'found', title, reason: isPdf ? null : read.note, content_hash }
}

function nameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) || url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
