import { sql } from 'kysely'
import type { DeletingChatbot } from '../contracts/chatbots'
import type { Db } from '../platform/database/database'
import { ApiError } from '../platform/errors'
import { isChatbotOver, isDomainOver } from './overLimit'

export type ChatbotRow = Awaited<ReturnType<typeof chatbotsOf>>[number]

/** The states in which a chatbot's own host is served and shown. */
const ACTIVE = ['active', 'renewing'] as const

/** The host of its own at which visitors reach a chatbot; null: it has none that works. */
export async function activeDomainOf(
  db: Db,
  { projectId, chatbotId }: { projectId: string; chatbotId: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('custom_domains')
    .innerJoin('projects', 'projects.id', 'custom_domains.project_id')
    .select('hostname')
    .where('custom_domains.project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .where('status', 'in', ACTIVE)
    .where(({ not }) => not(isDomainOver))
    .executeTakeFirst()
  return row?.hostname ?? null
}

/** Conversation counts for a list of chatbots. */
interface Counted {
  /** visitors' conversations count from this time on */
  since: Date
}

/** The last edit of any of the chatbot's flows, whether it has been merged into the snapshot or not. */
const lastEdit = sql<{ at: Date; by: string | null }>`(
  select each.at, each.by
  from flows as own
  cross join lateral (
    (select created_at as at, edited_by as by from flow_updates
      where flow_id = own.id and project_id = own.project_id and edited order by id desc limit 1)
    union all
    (select edited_at, edited_by from flow_snapshots
      where flow_id = own.id and project_id = own.project_id and edited_at is not null)
  ) as each
  where own.chatbot_id = chatbots.id and own.project_id = chatbots.project_id
  order by each.at desc limit 1
)`

function select(db: Db, projectId: string, counted: Counted | null = null) {
  return db
    .selectFrom('chatbots')
    .innerJoin('projects', 'projects.id', 'chatbots.project_id')
    .innerJoin('flows', (join) => join.onRef('flows.chatbot_id', '=', 'chatbots.id').on('flows.is_main', '=', true))
    .leftJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.id', '=', 'flows.published_version_id')
        .onRef('flow_versions.project_id', '=', 'flows.project_id'),
    )
    .leftJoin('users', 'users.id', 'flows.published_by')
    .leftJoin('custom_domains', (join) =>
      join
        .onRef('custom_domains.chatbot_id', '=', 'chatbots.id')
        .onRef('custom_domains.project_id', '=', 'chatbots.project_id')
        .on('custom_domains.status', 'in', ACTIVE)
        .on(({ not }) => not(isDomainOver)),
    )
    .leftJoinLateral(lastEdit.as('edit'), (join) => join.onTrue())
    .leftJoin('users as editor', 'editor.id', 'edit.by')
    .where('chatbots.project_id', '=', projectId)
    .where('chatbots.deleting_since', 'is', null)
    .where('flows.project_id', '=', projectId)
    .select([
      'chatbots.id',
      'chatbots.gid',
      'chatbots.egid',
      'chatbots.name',
      'chatbots.sample',
      'chatbots.type',
      'chatbots.version',
      'chatbots.platform_id',
      'chatbots.slug',
      'custom_domains.hostname as domain',
      'chatbots.business_name',
      'chatbots.business_description',
      'chatbots.evaluates_training',
      'chatbots.setup_steps',
      isChatbotOver.as('over'),
      'flows.id as flow_id',
      'flows.gid as fid',
      'flow_versions.number as published_number',
      'flows.published_at',
      'users.first_name as publisher_first',
      'users.last_name as publisher_last',
      'editor.first_name as editor_first',
      'editor.last_name as editor_last',
      // a version contains everything in the drafts at its creation; its clock has a resolution of milliseconds
      sql<boolean>`coalesce(date_trunc('milliseconds', edit.at) > flow_versions.created_at, false)`.as('draft_changed'),
      counted
        ? sql<string>`(select count(*) from conversations where project_id = chatbots.project_id
            and chatbot_id = chatbots.id and environment in ('production', 'sharing')
            and created_at >= ${counted.since})`.as('conversations')
        : sql<string | null>`null`.as('conversations'),
      sql<boolean>`exists (select from knowledge_sources as source where source.project_id = chatbots.project_id
        and source.chatbot_id = coalesce(chatbots.linked_kb_id, chatbots.id))`.as('has_sources'),
      // edits of the draft count as changes of the chatbot; greatest() ignores null
      sql<Date>`greatest(chatbots.updated_at,
        (select created_at from flow_updates where flow_id = flows.id and project_id = flows.project_id order by id desc limit 1),
        (select updated_at from flow_snapshots where flow_id = flows.id and project_id = flows.project_id))`.as(
        'updated_at',
      ),
    ])
}

/**
 * The project's chatbots in order of creation, in one query.
 * @param counted also count conversations; without it `conversations` is null
 */
export function chatbotsOf(db: Db, projectId: string, counted: Counted | null = null) {
  return select(db, projectId, counted).orderBy('chatbots.id').execute()
}

/** Chatbots whose rows are being deleted, with the progress. */
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
    // 100 % only when the last row is gone
    percent: Math.min(99, Math.floor((100 * Number(rows_deleted)) / Math.max(1, Number(rows_to_delete)))),
  }))
}

/** Throws ApiError `not_found` unless the chatbot belongs to the project. */
export async function chatbotOf(db: Db, projectId: string, cgid: string): Promise<ChatbotRow> {
  const row = await select(db, projectId).where('chatbots.gid', '=', cgid).executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}
