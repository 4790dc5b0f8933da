import { sql } from 'kysely'
import { ApiError } from '../../errors'
import type { Db } from '../../storage/database'
import type { DeletingChatbot } from './contract'

export type ChatbotRow = Awaited<ReturnType<typeof chatbotsOf>>[number]

function select(db: Db, projectId: string) {
  return db
    .selectFrom('chatbots')
    .innerJoin('flows', (join) => join.onRef('flows.chatbot_id', '=', 'chatbots.id').on('flows.is_main', '=', true))
    .leftJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.id', '=', 'flows.published_version_id')
        .onRef('flow_versions.project_id', '=', 'flows.project_id'),
    )
    .leftJoin('users', 'users.id', 'flows.published_by')
    .where('chatbots.project_id', '=', projectId)
    .where('chatbots.deleting_since', 'is', null)
    .where('flows.project_id', '=', projectId)
    .select([
      'chatbots.id',
      'chatbots.gid',
      'chatbots.egid',
      'chatbots.name',
      'chatbots.type',
      'chatbots.version',
      'chatbots.platform_id',
      'chatbots.slug',
      'chatbots.business_name',
      'chatbots.business_description',
      'flows.id as flow_id',
      'flows.gid as fid',
      'flow_versions.number as published_number',
      'flows.published_at',
      'users.first_name as publisher_first',
      'users.last_name as publisher_last',
      sql<boolean>`exists (select from knowledge_sources as source where source.project_id = chatbots.project_id
        and source.chatbot_id = coalesce(chatbots.linked_kb_id, chatbots.id))`.as('has_sources'),
      // editing the draft changes the chatbot, too; greatest() passes over what is null
      sql<Date>`greatest(chatbots.updated_at,
        (select created_at from flow_updates where flow_id = flows.id and project_id = flows.project_id order by id desc limit 1),
        (select updated_at from flow_snapshots where flow_id = flows.id and project_id = flows.project_id))`.as(
        'updated_at',
      ),
    ])
}

export function chatbotsOf(db: Db, projectId: string) {
  return select(db, projectId).orderBy('chatbots.id').execute()
}

/** The chatbots whose rows are still going, with how far that is. */
export async function deletingOf(db: Db, projectId: string): Promise<DeletingChatbot[]> {
  const rows = await db
    .selectFrom('chatbots')
    .select(['gid', 'name', 'rows_to_delete', 'rows_deleted'])
    .where('project_id', '=', projectId)
    .where('deleting_since', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ gid, name, rows_to_delete, rows_deleted }) => ({
    gid,
    name,
    // it is not over before its last row is gone
    percent: Math.min(99, Math.floor((100 * Number(rows_deleted)) / Math.max(1, Number(rows_to_delete)))),
  }))
}

/** Throws ApiError `not_found` for a chatbot that isn't one of the project's. */
export async function chatbotOf(db: Db, projectId: string, cgid: string): Promise<ChatbotRow> {
  const row = await select(db, projectId).where('chatbots.gid', '=', cgid).executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}
