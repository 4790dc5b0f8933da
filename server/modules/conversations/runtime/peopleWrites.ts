import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { type Actor, appendEvent } from '../../../platform/events/defineEvent'
import type { ConversationRef } from '../conversations/conversationRef'
import { about, conversationAssigned, conversationClosed, conversationReopened, runEnded, turnContext } from '../events'
import { type Conversation, updateRun } from './rows'

/** @throws ApiError conversation_merged: what is done with it is done with the one that it was merged into */
export function wantUnmerged({ merged_into }: Pick<Conversation, 'merged_into'>): void {
  if (merged_into !== null) throw new ApiError('conversation_merged')
}

/** What several operations of people write in a conversation that is locked. */
export function createPeopleWrites(clock: ServerContext['clock']) {
  const takePart = (work: Work, { id, project_id }: Conversation, userId: string) =>
    work
      .insertInto('participants')
      .values({ conversation_id: id, project_id, user_id: userId, joined_at: clock() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()

  const set = (work: Work, { id, project_id }: ConversationRef) =>
    work.updateTable('conversations').where('id', '=', id).where('project_id', '=', project_id)

  /** Gives the conversation to a member; its bot stops at once. */
  async function assignTo(work: Work, row: Conversation, userId: string, by: Actor): Promise<void> {
    wantUnmerged(row)
    await takePart(work, row, userId)
    const at = clock()
    // what the visitor said last to the bot is now for a person to answer
    const waiting = sql<Date>`case when status in ('waiting', 'person') then waiting_since
      when ${row.last_client_id}::text is null then null else ${at}::timestamptz end`
    await set(work, row)
      .set({ status: 'person', assignee_id: userId, waiting_since: waiting, snoozed_until: null, updated_at: at })
      .execute()
    const context = turnContext(row, at, by)
    if (row.status === 'closed') await appendEvent(work, conversationReopened, context, about(row))
    await appendEvent(work, conversationAssigned, context, { ...about(row), user: userId })
  }

  async function closeIn(work: Work, row: Conversation, by: Actor): Promise<void> {
    await updateRun(work, row, { state: 'ended', pending: null }).execute()
    // who closed it is who goes on when the visitor writes again
    const assignee_id = row.assignee_id ?? (by.actor === 'user' ? by.userId : null)
    const quiet = { team_unread: 0, waiting_since: null, snoozed_until: null }
    await set(work, row)
      .set({ status: 'closed', assignee_id, ...quiet, updated_at: clock() })
      .execute()
    if (row.status === 'closed') return
    const context = turnContext(row, clock(), by)
    if (row.state !== 'ended') await appendEvent(work, runEnded, context, { ...about(row), run: row.number })
    await appendEvent(work, conversationClosed, context, about(row))
  }

  return { takePart, set, assignTo, closeIn }
}
