import { createHash } from 'node:crypto'
import type { Db } from '../../storage/database'
import { siteOf, urlKey } from '../page/normalizeUrl'
import type { LinkedPdf, Page, PageRead, UnreadPage } from '../page/pageRead'
import { addPages, type CrawlRow, lockFinding, pagesOf, settlePage, sitesOf, type WaitingPage } from './frontier'
import { isIncluded, isWanted } from './scope'

/** Times that a page is asked for whose server is busy, slow or away. */
const ATTEMPTS = 3

/** What became of a page in the crawl. Null: nobody looks for it any more, or enough was found. */
type Settled = 'found' | 'other' | null

/**
 * Writes down what a page gave: what it is, and where it leads to. One transaction, in which the crawl is held: after a crash a page
 * was visited with its links in the frontier, or not at all.
 */
export function writeVisit(db: Db, of: CrawlRow, page: WaitingPage, read: PageRead): Promise<Settled> {
  return db.transaction().execute(async (trx) => {
    const crawl = await lockFinding(trx, of)
    if (!crawl) return null
    const still = await pagesOf(trx, crawl)
      .select('id')
      .where('id', '=', page.id)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (!still) return 'other'
    if (!read.ok) return writeFailure(trx, crawl, page, read)
    if ('unchanged' in read) throw new Error('A page that was asked for without a mark is never unchanged.')
    if (crawl.failures > 0) await countFailures(trx, crawl, 0)
    const { count } = await pagesOf(trx, crawl)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('state', '=', 'found')
      .executeTakeFirstOrThrow()
    if (Number(count) >= crawl.max_pages) return null
    const at = await placeOf(trx, crawl, page, read)
    if (!at) return 'other'
    if ('markdown' in read) await follow(trx, crawl, at, read)
    return judge(trx, crawl, at, read)
  })
}

async function writeFailure(trx: Db, crawl: CrawlRow, page: WaitingPage, read: UnreadPage): Promise<Settled> {
  const attempts = page.attempts + 1
  await countFailures(trx, crawl, read.passing ? crawl.failures + 1 : 0)
  const again = read.passing && attempts < ATTEMPTS
  const state = again ? 'waiting' : read.code === 'robots' ? 'left_out' : 'failed'
  await settlePage(trx, crawl, page, { state, attempts, reason: read.reason })
  return 'other'
}

async function countFailures(trx: Db, { project_id, id }: CrawlRow, failures: number): Promise<void> {
  await trx.updateTable('crawls').set({ failures }).where('project_id', '=', project_id).where('id', '=', id).execute()
}

/**
 * The entry under which a page goes: its own; or, where the address led elsewhere or the page calls another one its own, that one's,
 * which is visited later unless it is what was read. Null: there is nothing to write under it now.
 */
async function placeOf(
  trx: Db,
  crawl: CrawlRow,
  page: WaitingPage,
  read: Page | LinkedPdf,
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
    return { ...page, url: read.url, key }
  }
  const sites = await sitesOf(trx, crawl)
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

async function follow(trx: Db, crawl: CrawlRow, page: WaitingPage, read: Page): Promise<void> {
  if (crawl.mode !== 'crawl' || page.depth >= crawl.depth) return
  await addPages(trx, crawl, read.links, { depth: page.depth + 1, sites: await sitesOf(trx, crawl) })
}

async function judge(trx: Db, crawl: CrawlRow, page: WaitingPage, read: Page | LinkedPdf): Promise<Settled> {
  const isPdf = 'pdf' in read
  const title = (isPdf ? nameOf(read.url) : read.title).slice(0, 500)
  const leave = async (reason: string): Promise<Settled> => {
    await settlePage(trx, crawl, page, { state: 'left_out', title, reason })
    return 'other'
  }
  if (!isPdf && read.noindex && crawl.mode !== 'page')
    return leave('The page asks not to be in an index (noindex). Add it by its address if it is wanted all the same.')
  if (crawl.mode !== 'page' && !isIncluded(page.url, crawl.include))
    return leave('It is none of the pages that were asked for: it was looked at for its links alone.')
  const content_hash = createHash('sha256')
    .update(isPdf ? read.pdf : wordsOf(read.markdown))
    .digest('base64')
  const same = await pagesOf(trx, crawl)
    .select('url')
    .where('content_hash', '=', content_hash)
    .where('state', '=', 'found')
    .executeTakeFirst()
  if (same) return leave(`It says the same as ${same.url}`)
  await settlePage(trx, crawl, page, { state: 'found', title, reason: isPdf ? null : read.note, content_hash })
  return 'found'
}

/** Pages that differ in spaces and links alone say the same. */
const wordsOf = (markdown: string): string =>
  markdown
    .replace(/\]\([^)\s]*\)/g, ']')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

function nameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) || url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
