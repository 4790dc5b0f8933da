import { type Selectable, sql, type Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import type { Sweep } from '../../../platform/jobs/sweeps'
import { appendSources, sourcesDeleted } from '../events'
import type { Pages } from '../page/readPage'
import { deleteFrom } from '../sources/deleteFrom'
import type { KnowledgeFeedsTable } from '../tables'
import { addLinkSources, type LinkedPage, withoutFragment } from '../training/addLinks'
import { queueSources } from '../training/queueSources'
import { type BeginReading, readDueFeeds, readFeed, repairLostFeeds } from './dueFeeds'
import { createFeedReader, type FeedRead } from './feedRead'
import { createHelpCenterReader } from './helpCenter'
import { isLeftOut } from './leftOut'

export interface Feeds {
  /** Schedules a reading, in the transaction that wants it. Call `context.jobs.wake()` after the commit. */
  begin: BeginReading
  /** Ends running work in this process; it is done again in another one, or at the next start. */
  close(): void
  jobs: readonly HandledJob[]
  sweeps: readonly Sweep[]
}

type Feed = Selectable<KnowledgeFeedsTable>

const MINUTE = 60_000
/** ms after which a list is given up: jobs of other projects wait for the same workers. */
const LONGEST = 10 * MINUTE
const SLOW = 'It took more than ten minutes to read, and was given up. Try again later, or take fewer pages of it.'
/** Sources deleted per statement. */
const BATCH = 1_000

/** Reads lists of pages in the background, and makes the chatbot's sources what they say. */
export function createFeeds(
  context: ServerContext,
  pages: Pick<Pages, 'fetch'>,
  { longestMs = LONGEST }: { longestMs?: number } = {},
): Feeds {
  const { clock, jobs } = context
  const closing = new AbortController()
  const readers = { feed: createFeedReader(pages), help_center: createHelpCenterReader(pages) }

  const begin: BeginReading = (trx, { id, projectId }) =>
    jobs.schedule(trx, readFeed, { key: id, projectId, payload: { feed: id }, runAt: clock() })

  const read = readFeed.handledBy(async ({ feed: id }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const feed = await feedOf(db, projectId, id).executeTakeFirst()
    if (!feed) return undefined
    const limit = AbortSignal.timeout(longestMs)
    const signal = AbortSignal.any([closing.signal, limit])
    const found = await readers[feed.kind](feed, { owner: projectId, signal }).catch((error): FeedRead | null => {
      if (closing.signal.aborted) return null
      if (limit.aborted) return { failed: SLOW }
      throw error
    })
    if (!found) return clock()
    await db.transaction().execute((trx) => apply(trx, feed, found))
    jobs.wake()
    return undefined
  })

  /** Makes the sources what the list says: adds new ones, reads changed ones again, deletes those that are gone. */
  async function apply(trx: Transaction<Database>, { id, project_id }: Feed, found: FeedRead): Promise<void> {
    // what it says is applied by one at a time
    const feed = await feedOf(trx, project_id, id).forUpdate().executeTakeFirst()
    if (!feed) return
    const now = clock()
    const set = (change: Partial<Feed>) =>
      trx
        .updateTable('knowledge_feeds')
        .set({ ...change, read_at: now, updated_at: now })
        .where('project_id', '=', project_id)
        .where('id', '=', id)
        .execute()
    if ('failed' in found) return void (await set({ state: 'error', reason: found.failed.slice(0, 1_000) }))
    const place = { projectId: project_id, chatbotId: feed.chatbot_id }
    const call = { projectId: project_id, by: { actor: 'system' } as const, correlation: feed.gid, at: now }
    // an article whose title changes has another address on the site, and is the same
    const known = await articlesOf(trx, feed)
    const deleted = new Set(feed.left_out)
    const added = found.pages.filter(
      ({ url, article }) =>
        !(article && known.has(article.url)) && !isLeftOut(deleted, { url: withoutFragment(url), article }),
    )
    await addLinkSources(context, trx, place, added, { crawlId: null, resync: 'never', call, feedId: id })
    await readChanged(trx, feed, found.pages)
    if (found.isWhole) {
      const gone = await goneOf(trx, feed, found.pages)
      for (let at = 0; at < gone.length; at += BATCH) {
        const gids = await deleteFrom(context, trx, place, gone.slice(at, at + BATCH))
        await appendSources(trx, sourcesDeleted, call, place, gids)
      }
    }
    await set({ state: 'ready', reason: restOf(found), title: found.title || feed.title })
  }

  /** Queues the sources whose article was edited since. */
  async function readChanged(trx: Transaction<Database>, feed: Feed, pages: readonly LinkedPage[]): Promise<void> {
    const articles = pages.flatMap(({ url, article }) => (article ? { ...article, page: url } : []))
    if (articles.length === 0) return
    const list = (of: 'url' | 'mark' | 'page') => sql`${articles.map((article) => article[of])}::text[]`
    const { rows } = await sql<{ id: string }>`
      update knowledge_sources source set article_mark = said.mark, url = case when exists (
          select from knowledge_sources other where other.project_id = source.project_id
            and other.chatbot_id = source.chatbot_id and md5(other.url) = md5(said.page)) then source.url else said.page end
      from unnest(${list('url')}, ${list('mark')}, ${list('page')}) as said (url, mark, page)
      where source.project_id = ${feed.project_id} and source.feed_id = ${feed.id} and source.article_url = said.url
        and source.article_mark is distinct from said.mark
      returning source.id`.execute(trx)
    const ids = rows.map(({ id }) => id)
    await queueSources(context, trx, feed.project_id, ids)
  }

  return {
    begin,
    close: () => closing.abort(),
    jobs: [read],
    sweeps: [
      { kind: 'read-due-feeds', every: 5 * MINUTE, sweep: () => readDueFeeds(context, begin) },
      { kind: 'repair-lost-feeds', every: 5 * MINUTE, sweep: () => repairLostFeeds(context, begin) },
    ],
  }
}

/** What it has more of than is used, in a sentence; null: nothing. */
function restOf({ more, pages }: { more: boolean; pages: readonly LinkedPage[] }): string | null {
  if (!more) return null
  if (pages.length === 0) return 'Nothing that everybody may read was found in what was read of it.'
  return `It names more pages than are used: these are the newest ${pages.length}.`
}

const feedOf = (db: Db, projectId: string, id: string) =>
  db.selectFrom('knowledge_feeds').selectAll().where('project_id', '=', projectId).where('id', '=', id)

/** The articles that it has brought, by their addresses in the API. */
async function articlesOf(trx: Db, feed: Feed): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('knowledge_sources')
    .select('article_url')
    .where('project_id', '=', feed.project_id)
    .where('feed_id', '=', feed.id)
    .where('article_url', 'is not', null)
    .execute()
  return new Set(rows.flatMap(({ article_url }) => article_url ?? []))
}

/** The gids of its sources that it does not name any more. */
async function goneOf(trx: Db, feed: Feed, pages: readonly LinkedPage[]): Promise<string[]> {
  const named = pages.flatMap(({ article }) => article?.url ?? [])
  const rows = await trx
    .selectFrom('knowledge_sources')
    .select('gid')
    .where('project_id', '=', feed.project_id)
    .where('feed_id', '=', feed.id)
    .where(sql<boolean>`not coalesce(article_url, '') = any(${named}::text[])`)
    .execute()
  return rows.map(({ gid }) => gid)
}
