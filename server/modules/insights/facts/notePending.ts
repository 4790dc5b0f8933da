import { sql } from 'kysely'
import { type Consumer, defineBatchConsumer } from '../../../platform/events/defineConsumer'
import * as told from '../../conversations/events'
import { noteAct } from '../agents/noteActs'

/**
 * Notes the conversations that events tell of, to be counted again. Counting itself waits for a sweep or a reader: many
 * turns of a conversation are then one count.
 */
export const notePending: Consumer = defineBatchConsumer({
  name: 'insights',
  events: [
    told.conversationStarted,
    told.messageCreated,
    told.messageRated,
    told.conversationHandedOver,
    told.conversationAssigned,
    told.conversationUnassigned,
    told.conversationReopened,
    told.conversationGivenBack,
    told.conversationClosed,
    told.surveyAnswered,
    told.runStarted,
    told.runEnded,
  ],
  since: 'beginning',
  async handle(work, events) {
    const ofVisitors = events.filter(
      ({ payload: { environment } }) => environment !== 'playground' && environment !== 'editor',
    )
    if (ofVisitors.length === 0) return
    await sql`
      insert into insight_pending (conversation_id, project_id)
      select distinct conversations.id, conversations.project_id
        from unnest(
          ${ofVisitors.map(({ payload }) => payload.conversation)}::text[],
          ${ofVisitors.map(({ projectId }) => projectId)}::bigint[]
        ) as told (gid, project_id)
        join conversations on conversations.gid = told.gid and conversations.project_id = told.project_id
        order by conversations.id
      on conflict do nothing`.execute(work)
    for (const event of ofVisitors) await noteAct(work, event)
  },
})
