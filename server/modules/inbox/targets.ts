import type { Work } from '../../platform/database/database'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import {
  conversationAssigned,
  conversationClosed,
  conversationGivenBack,
  conversationHandedOver,
  conversationReopened,
  messageCreated,
} from '../conversations/events'
import { dueAfter, officeOfConversation } from '../handOff/office'
import { conversationTeamed } from './events'

/**
 * Keeps by when visitors' conversations with people are to be answered and resolved: from the hand-over or the first
 * assignment until they are closed or given back. A person's first message is the first answer.
 */
export const keepTargets = (): Consumer =>
  defineConsumer({
    name: 'inbox-targets',
    events: [
      conversationHandedOver,
      conversationAssigned,
      conversationReopened,
      conversationTeamed,
      conversationGivenBack,
      conversationClosed,
      messageCreated,
    ],
    // what visitors and bots say changes nothing
    byMembers: [messageCreated],
    since: 'now',
    async handle(work, { type, payload, projectId, at }) {
      const row = await work
        .selectFrom('conversations')
        .select(['id', 'project_id'])
        .where('gid', '=', payload.conversation)
        .where('project_id', '=', projectId)
        .where('environment', 'in', ['production', 'sharing'])
        .executeTakeFirst()
      if (!row) return
      if (type === 'message.created') await set(work, row, 'answered_at', at)
      else if (type === 'conversation.closed' || type === 'conversation.givenBack')
        await set(work, row, 'resolved_at', at)
      else if (type === 'conversation.teamed') await setDue(work, row)
      else await begin(work, row, at)
    },
  })

interface Row {
  id: string
  project_id: string
}

/** Begins to count, unless that is under way. */
async function begin(work: Work, row: Row, at: Date): Promise<void> {
  const values = { started_at: at, answered_at: null, resolved_at: null }
  const begun = await work
    .insertInto('conversation_targets')
    .values({ conversation_id: row.id, project_id: row.project_id, ...values })
    .onConflict((conflict) =>
      conflict.column('conversation_id').doUpdateSet(values).where('conversation_targets.resolved_at', 'is not', null),
    )
    .returning('conversation_id')
    .executeTakeFirst()
  if (begun) await setDue(work, row)
}

/** Sets by when, as the conversation's team or the project wants it now. */
async function setDue(work: Work, { id, project_id }: Row): Promise<void> {
  const target = await work
    .selectFrom('conversation_targets')
    .select('started_at')
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  if (!target) return
  const office = await officeOfConversation(work, { id, project_id })
  await work
    .updateTable('conversation_targets')
    .set({
      answer_due_at: dueAfter(office, target.started_at, office.first_answer_minutes),
      resolution_due_at: dueAfter(office, target.started_at, office.resolution_minutes),
    })
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .execute()
}

const set = (work: Work, { id, project_id }: Row, column: 'answered_at' | 'resolved_at', at: Date) =>
  work
    .updateTable('conversation_targets')
    .set({ [column]: at })
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .where(column, 'is', null)
    .execute()
