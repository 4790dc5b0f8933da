import { type Selectable, sql, type Transaction } from 'kysely'
import type { FeedKind } from '../../../contracts/feeds'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import type { Sweep } from '../../../platform/jobs/sweeps'
import type { Accounts } from '../../integrations/connections/accounts'
import { appendSources, sourcesDeleted } from '../events'
import type { Pages } from '../page/readPage'
import { deleteFrom } from '../sources/deleteFrom'
import type { KnowledgeFeedsTable } from '../tables'
import { addLinkSources, type LinkedPage, withoutFragment } from '../training/addLinks'
import { queueSources } from '../training/queueSources'
import { type BeginReading, readDueFeeds, readFeed, repairLostFeeds } from './dueFeeds'
import { createFeedReader, type FeedRead, type KnownOfFeed, type ReadFeed } from './feedRead'
import { createGitReader } from './gitRepository'
import { createHelpCenterReader } from './helpCenter'
import { isLeftOut } from './leftOut'
import { createSalesforceReader } from './salesforceKnowledge'

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
  accounts: Pick<Accounts, 'open'>,
  { longestMs = LONGEST }: { longestMs?: number } = {},
): Feeds {
  const { clock, jobs } = context
  const closing = new AbortController()
  const readers: Record<FeedKind, ReadFeed> = {
    feed: createFeedReader(pages),
    help_center: createHelpCenterReader(pages),
    salesforce: createSalesforceReader(accounts),
    git: createGitReader(context),
  }

  const begin: BeginReading = (trx, { id, projectId }) =>
    jobs.schedule(trx, readFeed, { key: id, projectId, payload: { feed: id }, runAt: clock() })

  const read = readFeed.handledBy(async ({ feed: id }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const feed = await feedOf(db, projectId, id).executeTakeFirst()
    if (!feed) return undefined
    const limit = AbortSignal.timeout(longestMs)
    const signal = AbortSignal.any([closing.signal, limit])
    const deleted = new Set(feed.left_out)
    const known: KnownOfFeed = {
      marks: await articlesOf(db, feed),
      isLeftOut: (address) => isLeftOut(deleted, { url: address }),
      onFound: async (count) => {
        await db.updateTable('knowledge_feeds').set({ found: count }).where('id', '=', id).execute()
      },
    }
    const found = await readers[feed.kind](feed, { owner: projectId, signal }, known).catch(
      (error): FeedRead | null => {
        if (closing.signal.aborted) return null
        if (limit.aborted) return { failed: SLOW }
        throw error
      },
    )
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
    const set = (change: Partial<Pick<Feed, 'state' | 'reason' | 'title' | 'mark'>>) =>
      trx
        .updateTable('knowledge_feeds')
        .set({ ...change, found: null, read_at: now, updated_at: now })
        .where('project_id', '=', project_id)
        .where('id', '=', id)
        .execute()
    if ('unchanged' in found) return void (await set({ state: 'ready' }))
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
    if (found.named) {
      const gone = await goneOf(trx, feed, found.named)
      for (let at = 0; at < gone.length; at += BATCH) {
        const gids = await deleteFrom(context, trx, place, gone.slice(at, at + BATCH))
        await appendSources(trx, sourcesDeleted, call, place, gids)
      }
    }
    const { note: reason, mark = null } = found
    await set({ state: 'ready', reason, title: (found.title || feed.title).slice(0, 500), mark })
  }

  /** Queues the sources whose article was edited since. */
  async function readChanged(trx: Transaction<Database>, feed: Feed, pages: readonly LinkedPage[]): Promise<void> {
    const articles = pages.flatMap(({ url: page, title, article }) =>
      article ? { url: article.url, mark: article.mark, page, title, text: article.content?.markdown ?? null } : [],
    )
    if (articles.length === 0) return
    const list = (of: keyof (typeof articles)[number]) => sql`${articles.map((article) => article[of])}::text[]`
    const { rows } = await sql<{ id: string }>`
      update knowledge_sources source set article_mark = said.mark, brought = said.text,
        title = case when said.text is null or said.title = '' then source.title else left(said.title, 500) end, url = case when exists (
          select from knowledge_sources other where other.project_id = source.project_id
            and other.chatbot_id = source.chatbot_id and md5(other.url) = md5(said.page)) then source.url else said.page end
      from unnest(${list('url')}, ${list('mark')}, ${list('page')}, ${list('title')}, ${list('text')})
        as said (url, mark, page, title, text)
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

const feedOf = (db: Db, projectId: string, id: string) =>
  db.selectFrom('knowledge_feeds').selectAll().where('project_id', '=', projectId).where('id', '=', id)

/** The marks of the articles that it has brought, by their addresses. */
async function articlesOf(trx: Db, feed: Feed): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('knowledge_sources')
    .select(['article_url', 'article_mark'])
    .where('project_id', '=', feed.project_id)
    .where('feed_id', '=', feed.id)
    .where('article_url', 'is not', null)
    .execute()
  return new Map(rows.map(({ article_url, article_mark }) => [article_url ?? '', article_mark ?? '']))
}

/** The gids of its sources that it does not name any more. */
async function goneOf(trx: Db, feed: Feed, named: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('knowledge_sources')
    .select('gid')
    .where('project_id', '=', feed.project_id)
    .where('feed_id', '=', feed.id)
    .where(sql<boolean>`not coalesce(article_url, '') = any(${[...named]}::text[])`)
    .execute()
  return rows.map(({ gid }) => gid)
}
