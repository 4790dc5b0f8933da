import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { ofRun, sourceTrained } from '../events'
import type { Content } from './content'
import type { MadeChunks } from './makeChunks'
import type { SourceRow } from './readSource'
import { nextResync } from './resync'

/** Passages per statement: some 3 KB each. */
const BATCH = 300

export interface Trained extends MadeChunks {
  source: SourceRow
  content: Content
}

/**
 * Replaces the sources' passages at once: concurrent questions see the old ones or the new. Sources that left the run,
 * because they were stopped, changed or deleted, stay as they are.
 * @returns the chatbots whose passages changed
 */
export async function writeChunks(
  { db, clock }: { db: Db } & Pick<ServerContext, 'clock'>,
  run: string,
  trained: readonly Trained[],
): Promise<Set<string>> {
  const chatbots = new Set<string>()
  if (trained.length === 0) return chatbots
  await db.transaction().execute(async (trx) => {
    const now = clock()
    for (const { source, content, hash, note, chunks, language, characters, planted, blocks } of trained) {
      const { rows } = await sql`select 1 from knowledge_sources
        where id = ${source.id} and project_id = ${source.project_id} and run = ${run} for update`.execute(trx)
      if (rows.length === 0) continue
      await trx
        .updateTable('knowledge_sources')
        .set({
          status: 'ready',
          run: null,
          reason: note,
          title: content.title,
          content: content.markdown,
          content_hash: hash,
          etag: content.etag,
          pages: content.pages,
          language,
          characters,
          chunk_count: chunks.length,
          planted,
          blocks: source.kind === 'link' ? blocks : null,
          updated_at: now,
          trained_at: now,
          next_resync_at: nextResync(source.resync, now),
        })
        .where('id', '=', source.id)
        .where('project_id', '=', source.project_id)
        .execute()
      await trx
        .deleteFrom('knowledge_chunks')
        .where('source_id', '=', source.id)
        .where('project_id', '=', source.project_id)
        .execute()
      const rowsOf = chunks.map((chunk, position) => ({
        ...chunk,
        position,
        project_id: source.project_id,
        chatbot_id: source.chatbot_id,
        source_id: source.id,
        embedding: null,
        embedding_model: null,
      }))
      for (let at = 0; at < rowsOf.length; at += BATCH) {
        await trx
          .insertInto('knowledge_chunks')
          .values(rowsOf.slice(at, at + BATCH))
          .execute()
      }
      await appendEvent(trx, sourceTrained, ofRun(source, run, now), { chatbot: source.chatbot_id, source: source.gid })
      chatbots.add(source.chatbot_id)
    }
    // last, and in a fixed order: others who change passages wait only briefly for these rows
    const ids = [...chatbots].sort()
    for (const id of ids) {
      await trx
        .updateTable('chatbots')
        .set(({ eb }) => ({ knowledge_version: eb('knowledge_version', '+', '1') }))
        .where('id', '=', id)
        .execute()
    }
  })
  return chatbots
}
