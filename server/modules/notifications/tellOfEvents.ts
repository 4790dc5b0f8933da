import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { userOf } from '../../platform/events/defineEvent'
import type { HandledJob } from '../../platform/jobs/defineJob'
import { contactCreated } from '../contacts/events'
import { conversationAssigned, conversationHandedOver, conversationStarted } from '../conversations/events'
import { dueAfter, officeOfConversation } from '../handOff/office'
import { noteAdded } from '../inbox/events'
import { checkWaiting, mailNotice } from './jobs'
import { tellMembers } from './tellMembers'

const MINUTE = 60_000
/** Tests of drafts concern nobody but their tester. */
const ofVisitors = (environment: string) => environment === 'production' || environment === 'sharing'

/** Tells members of a project what happened, as each wants it, and schedules the mails to the project's addresses. */
export const tellOfEvents = (context: Pick<ServerContext, 'clock' | 'jobs'>): Consumer =>
  defineConsumer({
    name: 'notifications',
    events: [conversationStarted, conversationHandedOver, conversationAssigned, noteAdded, contactCreated],
    since: 'now',
    async handle(work, event) {
      const { projectId, id, at, type, payload } = event
      const about = { projectId, at, key: `${type}.${id}`, actorId: userOf(event) }
      if (type === 'contact.created') {
        const contactId = await contactWith(work, projectId, payload.contact)
        if (contactId === null || payload.test) return
        await tellMembers(work, context, {
          ...about,
          kind: 'new_contact',
          users: null,
          conversationId: null,
          contactId,
        })
        await context.jobs.schedule(work, mailNotice, {
          payload: { about: 'new_contact', row: contactId, cause: id },
          runAt: context.clock(),
          projectId,
        })
        return
      }
      if ('environment' in payload && !ofVisitors(payload.environment)) return
      const conversation = await work
        .selectFrom('conversations')
        .innerJoin('projects', 'projects.id', 'conversations.project_id')
        .select(['conversations.id', 'contact_id', 'waiting_notice_minutes'])
        .where('conversations.gid', '=', payload.conversation)
        .where('conversations.project_id', '=', projectId)
        .executeTakeFirst()
      if (!conversation) return
      const of = { ...about, conversationId: conversation.id, contactId: conversation.contact_id }
      if (type === 'note.added') {
        await tellMembers(work, context, { ...of, kind: 'mentioned', users: payload.mentions })
      } else if (type === 'conversation.assigned') {
        const assignee = await existingUser(work, payload.user)
        await tellMembers(work, context, { ...of, kind: 'assigned', users: assignee === null ? [] : [assignee] })
      } else if (type === 'conversation.handedOver') {
        await tellMembers(work, context, { ...of, kind: 'handed_over', users: null })
        const office = await officeOfConversation(work, { id: conversation.id, project_id: projectId })
        const minutes = conversation.waiting_notice_minutes
        await context.jobs.schedule(work, checkWaiting, {
          payload: { conversation: conversation.id, since: id },
          // where it is set how soon people answer, that is what is too long
          runAt: dueAfter(office, at, office.first_answer_minutes) ?? new Date(at.getTime() + minutes * MINUTE),
          projectId,
        })
      } else {
        await tellMembers(work, context, { ...of, kind: 'new_conversation', users: null })
        await context.jobs.schedule(work, mailNotice, {
          payload: { about: 'new_conversation', row: conversation.id, cause: id },
          runAt: context.clock(),
          projectId,
        })
      }
    },
  })

/** The contact's row, if it still exists. */
async function contactWith(work: Work, projectId: string, gid: string): Promise<string | null> {
  const row = await work
    .selectFrom('contacts')
    .select('id')
    .where('gid', '=', gid)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The account, if it still exists. */
async function existingUser(work: Work, id: string): Promise<string | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const row = await work.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  return row?.id ?? null
}

/** Condition: nobody has it, or its first answer is overdue. */
const stillWaits = sql<boolean>`(status = 'waiting' or exists (select from conversation_targets as target
  where target.conversation_id = conversations.id and target.project_id = conversations.project_id
    and target.answer_due_at is not null and target.answered_at is null and target.resolved_at is null))`

/** Tells members that a visitor still waits. A later hand-over of the conversation has a job of its own. */
export const tellOfWaiting = (context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>): HandledJob =>
  checkWaiting.handledBy(async ({ conversation, since }, { projectId }) => {
    if (projectId === null) return undefined
    await context.db
      .forProject(projectId)
      .transaction()
      .execute(async (work) => {
        const row = await work
          .selectFrom('conversations')
          .select(['contact_id', 'assignee_id'])
          .where('id', '=', conversation)
          .where(stillWaits)
          .executeTakeFirst()
        if (!row) return
        await tellMembers(work, context, {
          projectId,
          kind: 'waiting',
          key: `waiting.${since}`,
          users: row.assignee_id === null ? null : [row.assignee_id],
          conversationId: conversation,
          contactId: row.contact_id,
          actorId: null,
          at: context.clock(),
        })
      })
    return undefined
  })
