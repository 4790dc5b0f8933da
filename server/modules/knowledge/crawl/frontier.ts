import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { CrawlMode, CrawlState, PageState } from '../../../contracts/crawls'
import type { Db } from '../../../platform/database/database'
import { siteOf, urlKey } from '../page/normalizeUrl'
import { familyOf, isTrap, isWanted } from './scope'

/** A crawl, as far as the frontier needs it. */
export interface CrawlRow {
  id: string
  project_id: string
  mode: CrawlMode
  url: string
  depth: number
  max_pages: number
  include: string[]
  exclude: string[]
  state: CrawlState
  reason: string | null
  failures: number
  created_at: Date
}
export interface WaitingPage {
  id: string
  url: string
  key: string
  depth: number
  attempts: number
}
export interface Outcome {
  state: PageState
  reason?: string | null
  attempts?: number
}

/** Addresses per statement. */
const BATCH = 1_000
/** Addresses stored per page wanted: most later ones are not worth a visit. */
const ROOM = 4
const ROOM_AT_LEAST = 1_000

export const roomOf = ({ max_pages }: Pick<CrawlRow, 'max_pages'>): number => max_pages * ROOM + ROOM_AT_LEAST

const columns = [
  ...(['id', 'project_id', 'mode', 'url', 'depth', 'max_pages', 'include', 'exclude', 'state'] as const),
  ...(['reason', 'failures', 'created_at'] as const),
]

export const crawlOf = (db: Db, projectId: string, id: string): Promise<CrawlRow | undefined> =>
  db.selectFrom('crawls').select(columns).where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/**
 * Locks a crawl until the transaction ends. Undefined if it was deleted or has ended. The commit does not wait for the
 * disk: a visit lost by a power cut is lost completely, and repeated.
 */
export const lockFinding = (
  trx: Db,
  { project_id, id }: Pick<CrawlRow, 'project_id' | 'id'>,
): Promise<CrawlRow | undefined> =>
  trx
    .selectFrom('crawls')
    .select(columns)
    .select(sql`set_config('synchronous_commit', 'off', true)`.as('commit'))
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', '=', 'finding')
    .forUpdate()
    .executeTakeFirst()

/** The pages of a crawl. */
export const pagesOf = (db: Db, { project_id, id }: Pick<CrawlRow, 'project_id' | 'id'>) =>
  db.selectFrom('crawl_pages').where('project_id', '=', project_id).where('crawl_id', '=', id)

/** The next pages: nearest to the start first, failed ones last. */
export const nextPages = (db: Db, crawl: CrawlRow, limit: number): Promise<WaitingPage[]> =>
  pagesOf(db, crawl)
    .select(['id', 'url', 'key', 'depth', 'attempts'])
    .where('state', '=', 'waiting')
    .orderBy('attempts')
    .orderBy('depth')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countPages(
  db: Db,
  crawl: Pick<CrawlRow, 'project_id' | 'id'>,
): Promise<Record<PageState, number>> {
  const rows = await pagesOf(db, crawl)
    .select(({ fn }) => ['state', fn.countAll<string>().as('count')])
    .groupBy('state')
    .execute()
  const none: Record<PageState, number> = { waiting: 0, found: 0, left_out: 0, failed: 0 }
  return rows.reduce((counts, { state, count }) => Object.assign(counts, { [state]: Number(count) }), none)
}

/** The state of a crawl at some of its pages, while it is locked. */
export interface Standing {
  /** the ids of those that have not been visited yet */
  waiting: Set<string>
  found: number
  /** sites that may be visited: that of its start address, and the one it redirects to */
  sites: Set<string>
  /** addresses of pages that were found, by the fingerprints that were asked for */
  same: Map<string, string>
}

export async function standingAt(
  trx: Db,
  crawl: CrawlRow,
  pages: readonly { id: string; fingerprint: string | null }[],
): Promise<Standing> {
  const here = sql`from crawl_pages where project_id = ${crawl.project_id} and crawl_id = ${crawl.id}`
  const ids = pages.map(({ id }) => id)
  const prints = pages.flatMap(({ fingerprint }) => fingerprint ?? [])
  const { rows } = await sql<{ waiting: string[]; found: string; starts: string[]; same: [string, string][] | null }>`
    select
      array(select id ${here} and id = any(${ids}::bigint[]) and state = 'waiting') as waiting,
      (select count(*) ${here} and state = 'found') as found,
      array(select url ${here} and depth = 0 and ${crawl.mode} <> 'sitemap') as starts,
      (select json_agg(json_build_array(content_hash, url)) ${here} and content_hash = any(${prints}::text[])
        and state = 'found') as same`.execute(trx)
  const { waiting = [], found = '0', starts = [], same = null } = rows[0] ?? {}
  return {
    waiting: new Set(waiting.map(String)),
    found: Number(found),
    sites: new Set([crawl.url, ...starts].map(siteOf)),
    same: new Map(same),
  }
}

/** What became of a page that was read. */
export interface Settled {
  id: string
  state: 'found' | 'left_out'
  title: string
  reason: string | null
  content_hash: string | null
  /** of what it says, to be compared with other pages */
  blocks: readonly number[] | null
}

/** Stores what became of pages, in one statement. */
export async function settlePages(trx: Db, crawl: CrawlRow, pages: readonly Settled[]): Promise<void> {
  if (pages.length === 0) return
  const column = (name: keyof Settled) => pages.map((page) => page[name])
  const blocks = pages.map(({ blocks }) => blocks && `{${blocks.join(',')}}`)
  await sql`update crawl_pages as page
    set state = now.state, title = now.title, reason = now.reason, content_hash = now.content_hash,
      blocks = now.blocks::bigint[]
    from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('title')}::text[],
      ${column('reason')}::text[], ${column('content_hash')}::text[], ${blocks}::text[])
      as now (id, state, title, reason, content_hash, blocks)
    where page.project_id = ${crawl.project_id} and page.crawl_id = ${crawl.id} and page.id = now.id`.execute(trx)
}

export async function settlePage(
  trx: Db,
  crawl: CrawlRow,
  page: Pick<WaitingPage, 'id'>,
  outcome: Outcome,
): Promise<void> {
  await trx
    .updateTable('crawl_pages')
    .set(outcome)
    .where('project_id', '=', crawl.project_id)
    .where('crawl_id', '=', crawl.id)
    .where('id', '=', page.id)
    .execute()
}

/** The number of addresses per family. */
async function familiesOf(trx: Db, crawl: CrawlRow, families: string[]): Promise<Map<string, number>> {
  if (families.length === 0) return new Map()
  const rows = await pagesOf(trx, crawl)
    .select(({ fn }) => ['family', fn.countAll<string>().as('count')])
    .where('family', 'in', families)
    .groupBy('family')
    .execute()
  return new Map(rows.map(({ family, count }) => [family ?? '', Number(count)]))
}

/**
 * Adds wanted new addresses while there is room: a limited number per family, and `roomOf` in total. Call it with the
 * crawl locked. @returns the ids of those added
 */
export async function addPages(
  trx: Db,
  crawl: CrawlRow,
  urls: readonly string[],
  { depth, sites }: { depth: number; sites: ReadonlySet<string> },
): Promise<string[]> {
  const { include, exclude } = crawl
  const wanted = new Map<string, { url: string; family: ReturnType<typeof familyOf> }>()
  for (const [at, url] of urls.entries()) {
    if (at % SLICE === SLICE - 1) await setImmediate()
    if (isTrap(url) || !isWanted(url, { sites, include, exclude })) continue
    const key = urlKey(url)
    if (!wanted.has(key)) wanted.set(key, { url, family: familyOf(url) })
  }
  if (wanted.size === 0) return []
  const { known, met } = await knownOf(trx, crawl, [...wanted.keys()])
  for (const key of known) wanted.delete(key)
  if (wanted.size === 0) return []
  const families = await familiesOf(trx, crawl, [
    ...new Set([...wanted.values()].flatMap(({ family }) => family?.family ?? [])),
  ])
  let room = roomOf(crawl) - met
  const rows = [...wanted].flatMap(([key, { url, family }]) => {
    if (room <= 0) return []
    if (family) {
      const present = families.get(family.family) ?? 0
      if (present >= family.most) return []
      families.set(family.family, present + 1)
    }
    room--
    const place = { project_id: crawl.project_id, crawl_id: crawl.id }
    return [{ ...place, url, key, family: family?.family ?? null, depth, state: 'waiting' as const }]
  })
  const added: string[] = []
  for (let at = 0; at < rows.length; at += BATCH) {
    const written = await trx
      .insertInto('crawl_pages')
      .values(rows.slice(at, at + BATCH))
      .onConflict((conflict) => conflict.columns(['crawl_id', 'key']).doNothing())
      .returning('id')
      .execute()
    added.push(...written.map(({ id }) => id))
  }
  return added
}

/** Addresses processed without a pause: a page may have 5,000. */
const SLICE = 200

/**
 * Which keys the crawl knows, and how many addresses it has. One array parameter: a statement takes at most 65,535
 * parameters.
 */
async function knownOf(trx: Db, crawl: CrawlRow, keys: string[]): Promise<{ known: string[]; met: number }> {
  const here = sql`from crawl_pages where project_id = ${crawl.project_id} and crawl_id = ${crawl.id}`
  const { rows } = await sql<{ known: string[]; met: string }>`select
    array(select key ${here} and key = any(${keys}::text[])) as known, (select count(*) ${here}) as met`.execute(trx)
  return { known: rows[0]?.known ?? [], met: Number(rows[0]?.met ?? 0) }
}
