import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import { isBehind } from '../../../platform/events/place'
import { notePending } from './notePending'

/** Events that are looked at, the newest: a consumer that is further behind catches up by itself. */
const MOST = 1_000

/**
 * Notes the conversations of a project whose events the consumer has not come to yet: who has just been told of a
 * change reads it. Noting one twice changes nothing.
 */
export async function noteFresh(db: Db, projectId: string): Promise<void> {
  const types = notePending.events.map(({ type }) => type)
  await sql`
    insert into insight_pending (conversation_id, project_id)
    select distinct conversations.id, conversations.project_id
      from (
        select events.project_id, events.payload ->> 'conversation' as gid
        from events join event_consumers on event_consumers.name = ${notePending.name}
        where events.project_id = ${projectId} and events.type = any(${types}::text[]) and ${isBehind}
        order by events.epoch desc, events.tx desc, events.id desc limit ${sql.lit(MOST)}) as told
      join conversations on conversations.gid = told.gid and conversations.project_id = told.project_id
    where conversations.environment in ('production', 'sharing')
    order by conversations.id
    on conflict do nothing`.execute(db)
}
