import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import type { Sweep } from '../../../platform/jobs/sweeps'
import { siteOf, urlKey } from '../page/normalizeUrl'
import type { Pages } from '../page/readPage'
import {
  addPages,
  type CrawlRow,
  countPages,
  crawlOf,
  lockFinding,
  nextPages,
  pagesOf,
  roomOf,
  type WaitingPage,
} from './frontier'
import { endLostCrawls, findPages } from './lostCrawls'
import { createMetAddresses } from './metAddresses'
import { familyOf } from './scope'
import { readSitemaps } from './sitemaps'
import { MOST_FAILURES, writeVisits } from './visitPage'
import { createVisitQueue } from './visitQueue'

export interface Crawls {
  /**
   * Schedules the first job, in the transaction that creates the crawl. Call `context.jobs.wake()` after the commit.
   */
  begin(trx: Db, crawl: { id: string; projectId: string }): Promise<void>
  /** Ends running work in this process; it continues in another one, or at the next start. */
  close(): void
  jobs: readonly HandledJob[]
  /** repairs crawls without a job */
  sweeps: readonly Sweep[]
}

/** ms after which a job ends and its continuation is scheduled, so that others get their turn. */
const SLICE = 10_000
/** Pages of a crawl read in parallel; the host's gate limits those per host. */
const AT_ONCE = 4
/** Pages that are read and not stored yet, with those being read: less than are fetched from the frontier at once. */
const MOST_WAITING = 16
/** Pages fetched from the frontier at once. */
const AHEAD = 64
/** ms after which a crawl ends with what it has found. */
const LONGEST = 24 * 3_600_000
const MINUTE = 60_000

/** Crawls sites in the background. */
export function createCrawls(context: ServerContext, pages: Pages): Crawls {
  const { clock, jobs } = context
  const rowsOf = (crawl: Pick<CrawlRow, 'project_id'>) => context.db.forProject(crawl.project_id)
  const closing = new AbortController()

  const found = findPages.handledBy(async ({ crawl: id }, { projectId }) => {
    if (projectId === null) return undefined
    const crawl = await crawlOf(context.db.forProject(projectId), projectId, id)
    if (crawl?.state !== 'finding') return undefined
    try {
      if (await findSome(crawl)) return clock()
    } catch (error) {
      if (!closing.signal.aborted) throw error
      return clock()
    }
  })

  /** Works for one slice of time. @returns whether there is more to do */
  async function findSome(crawl: CrawlRow): Promise<boolean> {
    const known = await pagesOf(rowsOf(crawl), crawl).select('id').limit(1).executeTakeFirst()
    if (!known && !(await seed(crawl))) return false
    const until = performance.now() + SLICE
    const next: WaitingPage[] = []
    /** Pages started in this slice; a retry belongs to a later one. */
    const begun = new Set<string>()
    let over = false
    let found = 0
    const met = createMetAddresses()
    const visits = createVisitQueue(
      async (batch) => {
        const written = await writeVisits(rowsOf(crawl), crawl, batch, met)
        found = written.found
        over ||= !written.goesOn || clock().getTime() - crawl.created_at.getTime() > LONGEST
      },
      // near the end no more is read than may be found
      () => Math.min(Math.max(crawl.max_pages - found, AT_ONCE), MOST_WAITING) - AT_ONCE,
    )

    /** The next unvisited page; null when there is none. */
    async function take(): Promise<WaitingPage | null> {
      if (next.length === 0) next.push(...(await nextPages(rowsOf(crawl), crawl, AHEAD)))
      for (let page = next.shift(); page; page = next.shift()) {
        const name = `${page.id} ${page.attempts}`
        if (begun.has(name)) continue
        begun.add(name)
        return page
      }
      return null
    }

    async function work(): Promise<void> {
      while (!over && performance.now() < until && !closing.signal.aborted) {
        const page = await take()
        if (!page) return
        const read = await pages.read(page.url, { owner: crawl.project_id, signal: closing.signal })
        if (closing.signal.aborted) return
        await visits.add({ page, read })
      }
    }

    // an idle worker may get pages that another one finds: a round ends when all are idle
    do {
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      await visits.written()
    } while (
      !over &&
      performance.now() < until &&
      !closing.signal.aborted &&
      (await nextPages(rowsOf(crawl), crawl, 1)).length > 0
    )
    if (closing.signal.aborted) return true
    if (!over && (await nextPages(rowsOf(crawl), crawl, 1)).length > 0) return true
    await finish(crawl)
    return false
  }

  /** Adds the first addresses of a crawl. @returns whether there are any; otherwise the crawl has ended */
  async function seed(crawl: CrawlRow): Promise<boolean> {
    const start = { depth: 0, sites: new Set([siteOf(crawl.url)]) }
    if (crawl.mode !== 'sitemap') {
      const place = { project_id: crawl.project_id, crawl_id: crawl.id }
      await rowsOf(crawl)
        .insertInto('crawl_pages')
        .values({ ...place, url: crawl.url, key: urlKey(crawl.url), family: null, depth: 0, state: 'waiting' })
        .onConflict((conflict) => conflict.columns(['crawl_id', 'key']).doNothing())
        .execute()
      return true
    }
    const scope = { sites: start.sites, include: crawl.include, exclude: crawl.exclude }
    const wanted = { scope, most: roomOf(crawl), owner: crawl.project_id, signal: closing.signal }
    const listed = await readSitemaps(pages, crawl.url, wanted)
    if (listed.urls.length === 0) {
      const reason =
        listed.files > 0
          ? 'The sitemap lists no pages of this site that were asked for. Check the patterns, or crawl the site instead.'
          : `No sitemap was found at ${crawl.url}, in robots.txt or at the usual places (${listed.problem ?? 'nothing there'}). Give the sitemap's own address, or crawl the site instead.`
      await end(crawl, 'error', reason)
      return false
    }
    return rowsOf(crawl)
      .transaction()
      .execute(async (trx) => {
        const held = await lockFinding(trx, crawl)
        if (!held) return false
        await addPages(trx, held, listed.urls, start)
        return true
      })
  }

  async function finish(crawl: CrawlRow): Promise<void> {
    const counts = await countPages(rowsOf(crawl), crawl)
    if (counts.found > 0) return end(crawl, 'found', await whyLess(crawl, counts.found, counts.waiting))
    const first = await pagesOf(rowsOf(crawl), crawl)
      .select('reason')
      .where('reason', 'is not', null)
      .orderBy('depth')
      .orderBy('id')
      .executeTakeFirst()
    await end(crawl, 'error', first?.reason ?? 'No page was found that can be trained. Check the address.')
  }

  /** Why there may be more pages than were found; null if there are not. */
  async function whyLess(crawl: CrawlRow, found: number, waiting: number): Promise<string | null> {
    const now = await crawlOf(rowsOf(crawl), crawl.project_id, crawl.id)
    const reasons: string[] = []
    if (found >= crawl.max_pages)
      reasons.push(`The limit of ${crawl.max_pages} pages was reached: raise it to find more.`)
    else if (now && now.failures >= MOST_FAILURES)
      reasons.push(`The site stopped responding: ${waiting} more URLs were not checked. Try again later.`)
    else if (waiting > 0) reasons.push(`Stopped after a day: ${waiting} more URLs were not checked.`)
    const families = await pagesOf(rowsOf(crawl), crawl)
      .select(({ fn }) => [fn.countAll<string>().as('count'), fn.min('url').as('url')])
      .where('family', 'is not', null)
      .groupBy('family')
      .execute()
    for (const { count, url } of families)
      if (Number(count) >= (familyOf(url)?.most ?? Infinity))
        reasons.push(`Of the many pages that are like ${url}, ${count} were looked at.`)
    const all = await pagesOf(rowsOf(crawl), crawl)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(all.count) >= roomOf(crawl))
      reasons.push(
        `More than ${roomOf(crawl)} addresses were met: set patterns to look at those alone that are wanted.`,
      )
    return reasons.length > 0 ? reasons.join(' ') : null
  }

  /** Ends the crawl; unvisited pages are deleted. */
  async function end(crawl: CrawlRow, state: 'found' | 'error', reason: string | null): Promise<void> {
    await rowsOf(crawl)
      .transaction()
      .execute(async (trx) => {
        if (!(await lockFinding(trx, crawl))) return
        await trx
          .updateTable('crawls')
          .set({ state, reason, updated_at: clock() })
          .where('project_id', '=', crawl.project_id)
          .where('id', '=', crawl.id)
          .execute()
        await trx
          .deleteFrom('crawl_pages')
          .where('project_id', '=', crawl.project_id)
          .where('crawl_id', '=', crawl.id)
          .where('state', '=', 'waiting')
          .execute()
      })
  }

  const crawls: Crawls = {
    begin: (trx, { id, projectId }) =>
      jobs.schedule(trx, findPages, { key: id, payload: { crawl: id }, runAt: clock(), projectId }),
    close: () => closing.abort(),
    jobs: [found],
    sweeps: [
      {
        kind: 'end-lost-crawls',
        every: MINUTE,
        sweep: () => endLostCrawls(context, (...crawl) => crawls.begin(...crawl)),
      },
    ],
  }
  return crawls
}
