import { type RawBuilder, sql } from 'kysely'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'

/**
 * Deletes conversations of a project: what belongs to one goes with it by its references, and its mails by name; the
 * figures stay.
 * @param which a condition on `conversations`
 * @param most how many at once, the oldest first
 * @returns how many were deleted
 */
export async function deleteConversations(
  db: ProjectDb | ProjectWork,
  projectId: string,
  which: RawBuilder<boolean>,
  most: number,
): Promise<number> {
  const isOfOver = sql`project_id = ${projectId} and conversation_id in (select id from over)`
  const { numAffectedRows } = await sql`
    with over as (
      select id from conversations where project_id = ${projectId} and ${which}
      order by id limit ${most} for update skip locked),
    sent as (delete from mails where ${isOfOver}),
    received as (delete from inbound_mails where ${isOfOver})
    delete from conversations where project_id = ${projectId} and id in (select id from over)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
