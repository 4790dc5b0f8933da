import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import type { KnowledgePlace } from '../knowledge'
import type { LinkedPage } from '../training/addLinks'

/** The most pages that are kept out of one list; the oldest come again. Twice what a list may have. */
const MOST = 10_000

/** Keeps sources that a member deletes from coming again with the lists that name them. Call it before they go. */
export async function leaveOut(
  db: Db,
  { projectId, chatbotId }: KnowledgePlace,
  gids: readonly string[],
): Promise<void> {
  await sql`
    update knowledge_feeds feed set left_out = (select coalesce(array_agg(mark), '{}') from (
        select mark from unnest(gone.marks || feed.left_out) with ordinality as each (mark, place)
          group by mark order by min(place) limit ${MOST}) kept)
    from (
      select feed_id, array_agg(md5(coalesce(article_url, url))) as marks from knowledge_sources
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and feed_id is not null
          and gid = any(${[...gids]}::text[])
        group by feed_id) gone
    where feed.id = gone.feed_id and feed.project_id = ${projectId} and feed.chatbot_id = ${chatbotId}`.execute(db)
}

/**
 * Says whether a page is one that members have deleted.
 * @param url as a source has it
 */
export const isLeftOut = (marks: ReadonlySet<string>, { url, article }: Pick<LinkedPage, 'url' | 'article'>): boolean =>
  marks.has(
    createHash('md5')
      .update(article?.url ?? url)
      .digest('hex'),
  )
