import { sql } from 'kysely'
import type { Work } from '../../../platform/database/database'
import { type StoredEvent, userOf } from '../../../platform/events/defineEvent'

interface Act extends Pick<StoredEvent, 'id' | 'type' | 'by' | 'projectId' | 'at'> {
  payload: { conversation: string; user?: string }
}

/**
 * Keeps who was given a conversation, and who closed it: the row of the conversation says it of the last time alone. An
 * event that is read again writes nothing; accounts that are gone by now are passed over.
 */
export async function noteAct(work: Work, { id, type, by, projectId, at, payload }: Act): Promise<void> {
  const kind = { 'conversation.assigned': 'taken', 'conversation.closed': 'closed' }[type]
  const userId = type === 'conversation.assigned' ? payload.user : userOf({ by })
  if (kind === undefined || !userId) return
  await sql`
    insert into agent_acts (event_id, conversation_id, project_id, user_id, kind, at)
    select ${id}, c.id, c.project_id, u.id, ${kind}, ${at} from conversations c, users u
    where c.gid = ${payload.conversation} and c.project_id = ${projectId} and u.id = ${userId}
    on conflict do nothing`.execute(work)
}
