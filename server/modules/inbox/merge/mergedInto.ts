import { sql } from 'kysely'
import { MOST_MERGED, UNDO_DAYS } from '../../../contracts/inboxMerges'
import type { Db } from '../../../platform/database/database'
import type { ConversationRef } from '../../conversations/conversations/conversationRef'

const DAY = 24 * 3_600_000

/** A conversation that was merged into another one. */
export interface Merged {
  id: string
  gid: string
  channel: string
  last_seq: number
  created_at: Date
  undo_until: Date
}

/** The conversations that were merged into one, and into those; the oldest first. */
export async function mergedInto(db: Db, { id, project_id }: ConversationRef): Promise<Merged[]> {
  const { rows } = await sql<Omit<Merged, 'undo_until'> & { merged_at: Date }>`
    with recursive merged (id) as (
      select id from conversations where merged_into = ${id} and project_id = ${project_id}
      union select c.id from conversations c join merged on c.merged_into = merged.id and c.project_id = ${project_id})
    select c.id, c.gid, c.channel, c.last_seq, c.created_at, coalesce(m.merged_at, c.updated_at) as merged_at
      from merged join conversations c on c.id = merged.id and c.project_id = ${project_id}
      left join conversation_merges m on m.conversation_id = c.id and m.project_id = c.project_id
      order by c.id limit ${MOST_MERGED}`.execute(db)
  return rows.map(({ merged_at, ...row }) => ({ ...row, undo_until: new Date(merged_at.getTime() + UNDO_DAYS * DAY) }))
}

/** In which conversations merged ones are read: by the id of each that is merged. */
export async function survivorsOf(db: Db, projectId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; into: string }>`
    with recursive up (id, into_id) as (
      select id, merged_into from conversations
        where id = any(${[...new Set(ids)]}::bigint[]) and project_id = ${projectId} and merged_into is not null
      union select up.id, c.merged_into from up join conversations c on c.id = up.into_id and c.project_id = ${projectId}
        where c.merged_into is not null)
    select up.id, up.into_id as into from up
      join conversations c on c.id = up.into_id and c.project_id = ${projectId} and c.merged_into is null`.execute(db)
  return new Map(rows.map(({ id, into }) => [id, into]))
}
