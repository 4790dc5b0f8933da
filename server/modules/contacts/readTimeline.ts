import { type RawBuilder, type Selectable, sql } from 'kysely'
import { ticketEffect } from '../../../engine/effects/ticket'
import { TIMELINE, type TimelineEntry } from '../../contracts/contacts'
import type { ProjectDb } from '../../platform/database/database'
import type { ContactsTable } from './tables'

export type Person = Pick<Selectable<ContactsTable>, 'id' | 'project_id' | 'email' | 'phone' | 'aliases'>

/** The condition that a lead is of the person: by the email or the phone that was left, also a merged contact's. */
export const isLeadOf = ({ email, phone, aliases }: Person) => sql<boolean>`(
  (${email}::text <> '' and lower(leads.email) = lower(${email}::text))
  or (${phone}::text <> '' and leads.phone = ${phone}::text)
  ${aliases.length === 0 ? sql`` : sql`or 'email:' || lower(leads.email) = any(${aliases}::text[]) or 'phone:' || leads.phone = any(${aliases}::text[])`})`

/** The condition that a conversation is of the person: it is linked to the contact, or a lead came from it. */
export const isConversationOf = (person: Person) => sql<boolean>`(
  conversations.contact_id = ${person.id} or exists (
    select from leads where leads.conversation_id = conversations.id and leads.project_id = conversations.project_id
      and ${isLeadOf(person)}))`

/**
 * Tickets of help desks that flows created or changed, as the calls that did so were answered: a ticket that was
 * looked up, or that there is none of, is no entry.
 */
const ticketsOf = (theirs: RawBuilder<unknown>) => sql`
  select case effects.request -> 'request' ->> 'action' when 'create' then 'ticket' else 'ticket-changed' end, effects.created_at,
      conversations.chatbot_id, conversations.gid, effects.result ->> 'id', effects.result ->> 'url'
    from conversations
      join runs on runs.conversation_id = conversations.id and runs.project_id = conversations.project_id
      join effects on effects.run_id = runs.id and effects.project_id = runs.project_id
    where ${theirs} and effects.type = 'call' and effects.status = 'done'
      and effects.request ->> 'service' = ${ticketEffect.name}
      and effects.request -> 'request' ->> 'action' in ('create', 'update') and effects.result ->> 'ok' = 'true'
      and effects.result ->> 'id' is not null`

/** Pages that were visited, the newest: they leave room for the rest. */
const PAGES = 50

/** What is known of what a person did, newest first. */
export async function readTimeline(db: ProjectDb, person: Person): Promise<TimelineEntry[]> {
  const theirs = sql`conversations.project_id = ${person.project_id}
    and conversations.environment in ('production', 'sharing') and ${isConversationOf(person)}`
  const { rows } = await sql<{
    kind: TimelineEntry['kind']
    at: Date
    chatbot: string
    name: string
    conversation: string | null
    detail: string | null
    link: string | null
  }>`
    select entry.kind, entry.at, chatbots.gid as chatbot, chatbots.name, entry.conversation, entry.detail, entry.link from (
      select 'conversation' as kind, conversations.created_at as at, conversations.chatbot_id,
          conversations.gid as conversation, nullif(facts.page, '') as detail, null as link
        from conversations left join conversation_facts facts
          on facts.conversation_id = conversations.id and facts.project_id = conversations.project_id
        where ${theirs}
      union all
      select 'answers', results.started_at, conversations.chatbot_id, conversations.gid,
          json_array_length(results.answers)::text, null
        from conversations join flow_results results
          on results.conversation_id = conversations.id and results.project_id = conversations.project_id
        where ${theirs}
      union all
      select 'rating', survey.answered_at, conversations.chatbot_id, conversations.gid, survey.rating::text, null
        from conversations join survey_answers survey
          on survey.conversation_id = conversations.id and survey.project_id = conversations.project_id
        where ${theirs}
      union all
      select 'hand-off', hand_offs.handed_over_at, conversations.chatbot_id, conversations.gid, null, null
        from conversations join hand_offs
          on hand_offs.conversation_id = conversations.id and hand_offs.project_id = conversations.project_id
        where ${theirs}
      union all
      select case when consents.given then 'consent' when exists (
            select from consents earlier where earlier.conversation_id = consents.conversation_id
              and earlier.project_id = consents.project_id and earlier.given and earlier.id < consents.id)
          then 'consent-withdrawn' else 'consent-declined' end, consents.said_at,
          conversations.chatbot_id, conversations.gid, nullif(consents.question, ''), null
        from conversations join consents
          on consents.conversation_id = conversations.id and consents.project_id = conversations.project_id
        where ${theirs}
      union all
      (select 'page', visits.visited_at, conversations.chatbot_id, conversations.gid, visits.page, null
        from conversations join page_visits visits
          on visits.conversation_id = conversations.id and visits.project_id = conversations.project_id
        where ${theirs} order by visits.visited_at desc limit ${PAGES})
      union all
      ${ticketsOf(theirs)}
      union all
      select 'lead', leads.created_at, leads.chatbot_id, c.gid, null, null
        from leads left join conversations c on c.id = leads.conversation_id and c.project_id = leads.project_id
        where leads.project_id = ${person.project_id} and not leads.deleted and ${isLeadOf(person)}) as entry
      join chatbots on chatbots.id = entry.chatbot_id and chatbots.project_id = ${person.project_id}
    where chatbots.deleting_since is null
    order by entry.at desc, entry.kind limit ${TIMELINE}`.execute(db)
  return rows.map(({ kind, at, chatbot, name, conversation, detail, link }) => ({
    ...{ kind, at: at.toISOString(), chatbot: { gid: chatbot, name }, conversation, detail, link },
  }))
}
