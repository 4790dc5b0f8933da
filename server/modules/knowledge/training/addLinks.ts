import { sql, type Transaction } from 'kysely'
import { type Resync, sourceCaps } from '../../../contracts/sources'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { type EventContext, userOf } from '../../../platform/events/defineEvent'
import { appendSources, sourcesAdded, sourcesQueued } from '../events'
import type { KnowledgePlace } from '../knowledge'
import { queueSources } from './queueSources'
import { nextResync } from './resync'

/** Rows per statement. */
const BATCH = 1_000

export interface LinkOrigin {
  /** null: entered by hand */
  crawlId: string | null
  resync: Resync
  /** the context of events */
  call: EventContext
  /** the list that names them */
  feedId?: string
}
/** What a list says of an article. */
export interface Article {
  /** identifies it: where an API has it */
  url: string
  mark: string
  /** its text, where the list brings it along; else it is read at its address */
  content?: { markdown: string; language: string | null }
}
/** A page to be read. */
export interface LinkedPage {
  url: string
  title: string
  /** of a list whose articles are not read at their pages */
  article?: Article
  /** hashes of what it says, where a crawl has read it */
  blocks?: string[] | null
}

/**
 * Creates sources of pages and queues them for training. Sources that the chatbot already has stay unchanged, since
 * reading them again costs a credit and has its own button; only failed and stopped ones are retried. Addresses have to
 * be absolute and valid. Call `context.jobs.wake()` after the commit.
 * @returns the ids of those queued; duplicate addresses count once
 */
export async function addLinkSources(
  context: Pick<ServerContext, 'clock' | 'jobs' | 'ids'>,
  trx: Transaction<Database>,
  { projectId, chatbotId }: KnowledgePlace,
  pages: readonly LinkedPage[],
  { crawlId, resync, call, feedId }: LinkOrigin,
): Promise<string[]> {
  const now = context.clock()
  const byUrl = new Map(pages.map((page) => [withoutFragment(page.url), page]))
  const rows = [...byUrl].map(([url, { title, article, blocks }]) => ({
    gid: context.ids(),
    project_id: projectId,
    chatbot_id: chatbotId,
    kind: 'link' as const,
    title: (title.trim() || url).slice(0, sourceCaps.title),
    url,
    crawl_id: crawlId,
    feed_id: feedId ?? null,
    article_url: article?.url ?? null,
    article_mark: article?.mark ?? null,
    brought: article?.content?.markdown ?? null,
    language: article?.content?.language ?? null,
    blocks: blocks ?? null,
    status: 'queued' as const,
    resync,
    next_resync_at: nextResync(resync, now),
    created_by: userOf(call),
    created_at: now,
    updated_at: now,
  }))
  const unread = await trx
    .selectFrom('knowledge_sources')
    .select(['id', 'gid'])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .where('status', 'in', ['error', 'stopped'])
    .where(sql<boolean>`url = any(${[...byUrl.keys()]}::text[])`)
    .execute()
  const ids = unread.map(({ id }) => id)
  const place = { chatbotId }
  const again = unread.map(({ gid }) => gid)
  await appendSources(trx, sourcesQueued, call, place, again)
  for (let at = 0; at < rows.length; at += BATCH) {
    const written = await trx
      .insertInto('knowledge_sources')
      .values(rows.slice(at, at + BATCH))
      .onConflict((conflict) => conflict.expression(sql`chatbot_id, md5(url)`).where('url', 'is not', null).doNothing())
      .returning(['id', 'gid'])
      .execute()
    ids.push(...written.map(({ id }) => id))
    const gids = written.map(({ gid }) => gid)
    await appendSources(trx, sourcesAdded, call, place, gids)
  }
  await queueSources(context, trx, projectId, ids)
  return ids
}

/** The address as a source has it: a fragment is a place within a page. */
export function withoutFragment(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}
