import type { ProjectDb } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { API } from '../../conversations/channels/channel'
import type { ConversationStatus } from '../../conversations/tables'
import type { TriggerRow } from './triggers'

export interface CalledConversation {
  id: string
  gid: string
  status: ConversationStatus
}

/** The conversation that a call names. @throws ApiError not_found */
export async function findByGid(
  db: ProjectDb,
  { chatbot_id }: TriggerRow,
  gid: string | null,
): Promise<CalledConversation> {
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'gid', 'status'])
    .where('chatbot_id', '=', chatbot_id)
    .where('gid', '=', gid ?? '')
    .executeTakeFirst()
  if (!row)
    throw new ApiError('not_found', { message: `The chatbot has no conversation '${String(gid).slice(0, 40)}'.` })
  return row
}

/** The open conversation that calls with a key began; null: there is none. */
export async function findByKey(
  db: ProjectDb,
  { chatbot_id }: TriggerRow,
  key: string,
): Promise<CalledConversation | null> {
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'gid', 'status'])
    .where('chatbot_id', '=', chatbot_id)
    .where('channel', '=', API)
    .where('environment', '=', 'production')
    .where('address', '=', key)
    .where('status', '<>', 'closed')
    .executeTakeFirst()
  return row ?? null
}
