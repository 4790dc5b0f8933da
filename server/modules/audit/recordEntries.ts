import { sql } from 'kysely'
import { type Consumer, defineBatchConsumer } from '../../platform/events/defineConsumer'
import { audited, subjectOf } from './audited'

/**
 * Adds an entry for each event that a member caused, with what its transaction changed in settings: the first event of
 * a transaction takes that. The triggers of migration 0388 give it its number and its hash.
 */
export const recordEntries = (): Consumer =>
  defineBatchConsumer({
    name: 'audit-log',
    events: audited,
    // a directory's program and the checks of domains are nobody's calls, and are told as well
    byMembers: audited.filter(({ type }) => subjectOf(type) !== 'sign_on'),
    since: 'now',
    async handle(work, events) {
      for (const { id, at, projectId } of events)
        await sql`
          with event as (select * from events where id = ${id} and at = ${at} and project_id = ${projectId}),
            taken as (delete from audit_changes where tx = (select tx from event) and project_id = ${projectId} returning *)
          insert into audit_entries (project_id, event_id, at, type, person, address, correlation, payload, chatbot, changes)
          select event.project_id, event.id, event.at, event.type, users.gid, event.address, event.correlation, event.payload, chatbots.name,
            coalesce((select jsonb_agg(jsonb_build_object('subject', subject, 'gid', row_gid, 'before', before, 'after', after) order by taken.id)
              from taken), '[]')
          from event join projects on projects.id = event.project_id
            left join users on users.id = event.user_id
            left join chatbots on chatbots.project_id = event.project_id
              and event.payload ->> 'chatbot' in (chatbots.gid, chatbots.id::text)
          on conflict (project_id, event_id, at) do nothing`.execute(work)
    },
  })
