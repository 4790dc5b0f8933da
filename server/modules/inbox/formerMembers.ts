import { sql } from 'kysely'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { eventRow, insertEvents } from '../../platform/events/defineEvent'
import { memberRemoved } from '../accounts/events'
import { conversationUnassigned } from '../conversations/events'

/**
 * Conversations of somebody who is no member any more wait for another person; the views that they kept go, but for
 * those that others see too.
 */
export const freeConversations = (): Consumer =>
  defineConsumer({
    name: 'inbox-former-members',
    events: [memberRemoved],
    since: 'now',
    async handle(work, { projectId, payload: { user }, correlation, at }) {
      const kept = work
        .deleteFrom('inbox_views')
        .where('project_id', '=', projectId)
        .where('shared', 'is', null)
        // whose account is gone is nobody by now
        .where((eb) => eb.or([eb('user_id', '=', user), eb('user_id', 'is', null)]))
      await kept.execute()
      await work
        .updateTable('inbox_views')
        .set({ user_id: null })
        .where('project_id', '=', projectId)
        .where('user_id', '=', user)
        .execute()
      const freed = await work
        .updateTable('conversations')
        .set({
          assignee_id: null,
          status: sql`case when status = 'person' then 'waiting' else status end`,
          waiting_since: sql`case when status = 'person' then coalesce(waiting_since, ${at}) else waiting_since end`,
        })
        .where('project_id', '=', projectId)
        .where('assignee_id', '=', user)
        .where('status', '<>', 'closed')
        .returning(['gid', 'environment'])
        .execute()
      if (freed.length === 0) return
      const context = { projectId, by: { actor: 'system' }, correlation, at } as const
      const told = freed.map(({ gid, environment }) =>
        eventRow(conversationUnassigned, context, { conversation: gid, environment }),
      )
      await insertEvents(work, told).execute()
    },
  })
