import { sql } from 'kysely'
import { type Consumer, defineConsumer } from '../../../platform/events/createConsumers'
import * as told from '../../conversations/events'

/**
 * Notes the conversations that events tell of, to be counted again. Counting itself waits for a sweep or a reader: many
 * turns of a conversation are then one count.
 */
export const notePending: Consumer = defineConsumer({
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
  async handle(work, { projectId, payload }) {
    if (payload.environment === 'playground' || payload.environment === 'editor') return
    await sql`
      insert into insight_pending (conversation_id, project_id)
      select id, project_id from conversations where gid = ${payload.conversation} and project_id = ${projectId}
      on conflict do nothing`.execute(work)
  },
})
