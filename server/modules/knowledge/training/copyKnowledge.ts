import { sql, type Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import type { FileStore } from '../../../platform/files/files'
import type { KnowledgePlace } from '../knowledge'
import { queueSources } from './queueSources'

/**
 * Copies a chatbot's sources with their passages to a new chatbot: trained ones need no training. Queued and running
 * ones are queued for the copy, too. Call `context.jobs.wake()` after the commit.
 * @param store copies documents to another project; null within one
 * @returns the copies' gids by those of the originals
 */
export async function copyKnowledge(
  context: Pick<ServerContext, 'clock' | 'jobs' | 'ids'>,
  trx: Transaction<Database>,
  from: KnowledgePlace,
  to: KnowledgePlace,
  store: Pick<FileStore, 'copy'> | null = null,
): Promise<Map<string, string>> {
  const sources = await trx
    .selectFrom('knowledge_sources')
    .select(['id', 'gid', 'sha256'])
    .where('project_id', '=', from.projectId)
    .where('chatbot_id', '=', from.chatbotId)
    .orderBy('id')
    .execute()
  await copyFeeds(context, trx, from, to)
  if (sources.length === 0) return new Map()
  for (const { sha256 } of sources) if (store && sha256) await store.copy(from.projectId, sha256, to.projectId)
  const olds = sources.map(({ id }) => id)
  const gids = sources.map(() => context.ids())
  const pairs = sql`unnest(${olds}::bigint[], ${gids}::text[]) as pair (old, gid)`
  const now = context.clock()
  const { rows: copies } = await sql<{ id: string; status: string }>`
    insert into knowledge_sources (gid, project_id, chatbot_id, kind, title, url, sha256, file_name, bytes, data, content, content_hash,
      etag, characters, chunk_count, pages, language, status, reason, resync, next_resync_at, created_by, created_at, updated_at, trained_at,
      article_url, article_mark, brought, planted, planted_allowed, blocks, feed_id)
    select pair.gid, ${to.projectId}, ${to.chatbotId}, kind, title, url, sha256, file_name, bytes, data, content, content_hash,
      etag, characters, chunk_count, pages, language, case when run is null then status else 'queued' end, reason, resync, next_resync_at,
      created_by, ${now}, ${now}, trained_at, article_url, article_mark, brought, planted, planted_allowed, blocks, (
        select copied.id from knowledge_feeds own join knowledge_feeds copied on copied.url = own.url
        where own.id = feed_id and own.project_id = ${from.projectId}
          and copied.chatbot_id = ${to.chatbotId} and copied.project_id = ${to.projectId})
    from ${pairs} join knowledge_sources on id = pair.old where project_id = ${from.projectId}
    order by pair.old
    returning id, status`.execute(trx)
  await sql`
    insert into knowledge_chunks (project_id, chatbot_id, source_id, position, heading, body, tokens, embedding, embedding_model)
    select ${to.projectId}, ${to.chatbotId}, copy.id, position, heading, body, tokens, embedding, embedding_model
    from ${pairs} join knowledge_chunks as chunk on chunk.source_id = pair.old join knowledge_sources as copy on copy.gid = pair.gid
    where chunk.project_id = ${from.projectId} and copy.project_id = ${to.projectId}
    order by chunk.id`.execute(trx)
  await trx
    .updateTable('chatbots')
    .set(({ selectFrom, eb }) => ({
      knowledge_version: eb('knowledge_version', '+', '1'),
      knowledge_calibration: selectFrom('chatbots as original')
        .select(sql<string>`original.knowledge_calibration`.as('calibration'))
        .where('original.id', '=', from.chatbotId)
        .where('original.project_id', '=', from.projectId),
    }))
    .where('project_id', '=', to.projectId)
    .where('id', '=', to.chatbotId)
    .execute()
  const waiting = copies.filter(({ status }) => status === 'queued').map(({ id }) => id)
  await queueSources(context, trx, to.projectId, waiting)
  return new Map(sources.map(({ gid }, at) => [gid, gids[at] ?? '']))
}

/** The lists that it follows; those that were being read are read when they are due. */
async function copyFeeds(
  context: Pick<ServerContext, 'clock' | 'ids'>,
  trx: Transaction<Database>,
  from: KnowledgePlace,
  to: KnowledgePlace,
): Promise<void> {
  const feeds = await trx
    .selectFrom('knowledge_feeds')
    .select(['kind', 'url', 'title', 'most', 'resync', 'reason', 'left_out', 'options', 'mark'])
    .select(['read_at', 'next_read_at', 'created_by'])
    .where('project_id', '=', from.projectId)
    .where('chatbot_id', '=', from.chatbotId)
    // a connection to a vendor is of its project
    .$if(from.projectId !== to.projectId, (query) => query.where('kind', '!=', 'salesforce'))
    .orderBy('id')
    .execute()
  if (feeds.length === 0) return
  const now = context.clock()
  const place = { project_id: to.projectId, chatbot_id: to.chatbotId, created_at: now, updated_at: now }
  const rows = feeds.map(({ options, ...feed }) => ({
    ...{ ...feed, ...place, gid: context.ids(), state: 'ready' as const },
    options: JSON.stringify(options),
  }))
  await trx.insertInto('knowledge_feeds').values(rows).execute()
}
