import { type Selectable, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { planOf } from '../../../access/plans'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import type { Sweep } from '../../../platform/jobs/sweeps'
import { takeCredits } from '../../billing/credits'
import { appendSources, sourcesDeleted } from '../events'
import type { Pages } from '../page/readPage'
import { deleteFrom } from '../sources/deleteFrom'
import type { KnowledgeFeedsTable } from '../tables'
import { addLinkSources, type LinkedPage } from '../training/addLinks'
import { queueSources } from '../training/queueSources'
import { nextResync } from '../training/resync'
import { createFeedReader, type FeedRead } from './feedRead'
import { createHelpCenterReader } from './helpCenter'

export interface Feeds {
  /** Schedules a reading, in the transaction that wants it. Call `context.jobs.wake()` after the commit. */
  begin(trx: Db, feed: { id: string; projectId: string }): Promise<void>
  /** Ends running work in this process; it is done again in another one, or at the next start. */
  close(): void
  jobs: readonly HandledJob[]
  sweeps: readonly Sweep[]
}

type Feed = Selectable<KnowledgeFeedsTable>

const MINUTE = 60_000
/** Lists per sweep; the rest waits for the next ones. */
const MOST_DUE = 500
/** Sources deleted per statement. */
const BATCH = 1_000
const NO_CREDITS =
  'Not read again: your plan’s re-sync credits for this month are used up. Upgrade, or wait for next month.'
const NO_SYNC = 'Not read again: your plan has no automatic sync. Upgrade, or read it by hand.'

const readFeed = defineJob('read-feed', z.strictObject({ feed: z.string() }))

/** Reads lists of pages in the background, and makes the chatbot's sources what they say. */
export function createFeeds(context: ServerContext, pages: Pick<Pages, 'fetch'>): Feeds {
  const { clock, jobs } = context
  const closing = new AbortController()
  const readers = { feed: createFeedReader(pages), help_center: createHelpCenterReader(pages) }

  const begin: Feeds['begin'] = (trx, { id, projectId }) =>
    jobs.schedule(trx, readFeed, { key: id, projectId, payload: { feed: id }, runAt: clock() })

  const read = readFeed.handledBy(async ({ feed: id }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const feed = await feedOf(db, projectId, id).executeTakeFirst()
    if (!feed) return undefined
    try {
      const found = await readers[feed.kind](feed, { owner: projectId, signal: closing.signal })
      await db.transaction().execute((trx) => apply(trx, feed, found))
    } catch (error) {
      if (!closing.signal.aborted) throw error
      return clock()
    }
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
    const added = found.pages.filter(({ article }) => !article || !known.has(article.url))
    await addLinkSources(context, trx, place, added, { crawlId: null, resync: 'never', call, feedId: id })
    await readChanged(trx, feed, found.pages)
    if (found.isWhole) {
      const gone = await goneOf(trx, feed, found.pages)
      for (let at = 0; at < gone.length; at += BATCH) {
        const deleted = await deleteFrom(context, trx, place, gone.slice(at, at + BATCH))
        await appendSources(trx, sourcesDeleted, call, place, deleted)
      }
    }
    const more = found.more ? `It names more than ${feed.most} pages: the newest ${feed.most} are used.` : null
    await set({ state: 'ready', reason: more, title: found.title || feed.title })
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

  async function readDue(): Promise<void> {
    const now = clock()
    const due = await context.db
      .selectFrom('knowledge_feeds')
      .innerJoin('projects', 'projects.id', 'knowledge_feeds.project_id')
      .select(['knowledge_feeds.id', 'knowledge_feeds.gid', 'project_id', 'resync', 'next_read_at', 'plan_id'])
      .where('next_read_at', '<=', now)
      .orderBy('next_read_at')
      .limit(MOST_DUE)
      .execute()
    for (const feed of due) {
      const allowed = planOf(feed.plan_id).features.auto_sync
      // keyed by its due date: a crash in between does not charge a second credit
      const key = `${feed.gid}:${feed.next_read_at?.toISOString()}`
      const use = { projectId: feed.project_id, credit: 'resync_credits', key, amount: 1, at: now } as const
      const isPaid = allowed && (await takeCredits(context.db, use))
      const problem = allowed ? NO_CREDITS : NO_SYNC
      await context.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('knowledge_feeds')
          .set({
            next_read_at: nextResync(feed.resync, now),
            ...(isPaid ? { state: 'reading' as const } : { reason: problem }),
          })
          .where('project_id', '=', feed.project_id)
          .where('id', '=', feed.id)
          .execute()
        if (isPaid) await begin(trx, { id: feed.id, projectId: feed.project_id })
      })
    }
    if (due.length > 0) jobs.wake()
  }

  return {
    begin,
    close: () => closing.abort(),
    jobs: [read],
    sweeps: [{ kind: 'read-feeds', every: 5 * MINUTE, sweep: readDue }],
  }
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
