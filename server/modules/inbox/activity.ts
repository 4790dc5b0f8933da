import type { Work } from '../../platform/database/database'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { appendEvent, userOf } from '../../platform/events/defineEvent'
import {
  conversationAssigned,
  conversationClosed,
  conversationContinued,
  conversationGivenBack,
  conversationHandedOver,
  conversationMerged,
  conversationReopened,
  conversationSeparated,
  conversationTold,
  conversationUnassigned,
} from '../conversations/events'
import { bookingCanceled, bookingCreated, bookingRescheduled } from '../integrations/events'
import {
  activityNoted,
  conversationPrioritized,
  conversationSnoozed,
  conversationTeamed,
  visitorBlocked,
} from './events'

const events = [
  conversationHandedOver,
  conversationAssigned,
  conversationUnassigned,
  conversationGivenBack,
  conversationClosed,
  conversationReopened,
  conversationMerged,
  conversationSeparated,
  conversationContinued,
  conversationTold,
  conversationPrioritized,
  conversationSnoozed,
  conversationTeamed,
  visitorBlocked,
  bookingCreated,
  bookingRescheduled,
  bookingCanceled,
] as const
type Told = Parameters<Parameters<typeof defineConsumer<typeof events>>[0]['handle']>[1]

/** Writes what happened to conversations between their messages, for who reads them later. */
export const noteActivity = (): Consumer =>
  defineConsumer({
    name: 'inbox-activity',
    events,
    since: 'now',
    async handle(work, event) {
      const { conversation } = event.payload
      if (conversation === null) return
      const row = await work
        .selectFrom('conversations')
        .select(['id', 'project_id'])
        .where('gid', '=', conversation)
        .where('project_id', '=', event.projectId)
        .executeTakeFirst()
      if (!row) return
      const { kind, subject_id = null, detail = null } = entryOf(event)
      await work
        .insertInto('conversation_activity')
        .values({
          conversation_id: row.id,
          project_id: row.project_id,
          kind,
          user_id: await present(work, userOf(event)),
          subject_id: await present(work, subject_id),
          detail,
          after_seq: await lastBefore(work, row, event.at),
          at: event.at,
        })
        .execute()
      // screens that heard of the event itself may have read before this
      const { projectId, at, id } = event
      const context = { projectId, by: { actor: 'system' }, correlation: `activity.${id}`, at } as const
      await appendEvent(work, activityNoted, context, { conversation })
    },
  })

function entryOf(event: Told): { kind: string; subject_id?: string; detail?: string | null } {
  switch (event.type) {
    case 'conversation.handedOver':
      return { kind: 'handed_over' }
    case 'conversation.assigned':
      return { kind: 'assigned', subject_id: event.payload.user }
    case 'conversation.unassigned':
      return { kind: 'unassigned' }
    case 'conversation.givenBack':
      return { kind: 'given_back' }
    case 'conversation.closed':
      return { kind: 'closed' }
    case 'conversation.reopened':
      return { kind: 'reopened' }
    case 'conversation.merged':
      return { kind: 'merged' }
    case 'conversation.separated':
      return { kind: 'separated' }
    case 'conversation.continued':
      if (!event.payload.joined) return { kind: 'continued_apart' }
      if (event.payload.back)
        return { kind: event.payload.at === 'web' ? 'continued_on_web' : 'continued_from_whatsapp' }
      return { kind: event.payload.at === 'web' ? 'continued_from_web' : 'continued_on_whatsapp' }
    case 'conversation.told':
      return { kind: event.payload.what, detail: event.payload.kind ?? null }
    case 'conversation.prioritized':
      return { kind: 'priority', detail: String(event.payload.priority) }
    case 'conversation.snoozed':
      return event.payload.until ? { kind: 'snoozed', detail: event.payload.until } : { kind: 'woken' }
    case 'conversation.teamed':
      return { kind: 'team', detail: event.payload.name }
    case 'visitor.blocked':
      return { kind: event.payload.blocked ? 'blocked' : 'unblocked' }
    case 'booking.created':
      return { kind: 'booked', detail: event.payload.start }
    case 'booking.rescheduled':
      return { kind: 'booking_moved', detail: event.payload.start }
    case 'booking.canceled':
      return { kind: 'booking_canceled', detail: event.payload.start }
  }
}

/** An account that is still there: its rows go with it, the log stays. */
async function present(work: Work, userId: string | null): Promise<string | null> {
  if (userId === null) return null
  const user = await work.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
  return user?.id ?? null
}

/** The number of the last message that was there. */
async function lastBefore(work: Work, row: { id: string; project_id: string }, at: Date): Promise<number> {
  const message = await work
    .selectFrom('messages')
    .select('seq')
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('created_at', '<=', at)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return message?.seq ?? 0
}
