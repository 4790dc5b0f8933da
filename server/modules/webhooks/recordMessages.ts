import { sql } from 'kysely'
import { webhookPayload } from '../../contracts/webhookEvents'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import { type Consumer, defineBatchConsumer } from '../../platform/events/defineConsumer'
import { concernsVisitors, type Payload, publicName, readPayload, sources } from './payloads'

/**
 * Writes a message for each endpoint that wants an event: with the consumer's place, so that none is lost and none is
 * written twice. Deliveries send them. The endpoints are read once for all events of a batch: every turn of every
 * project is one of these, and most projects have no endpoint.
 */
export const recordMessages = ({ clock, ids }: Pick<ServerContext, 'clock' | 'ids'>): Consumer =>
  defineBatchConsumer({
    name: 'webhooks',
    events: sources,
    since: 'now',
    async handle(work, events) {
      const ofVisitors = events.filter(concernsVisitors)
      const endpoints = await readEndpoints(work, new Set(ofVisitors.map(({ projectId }) => projectId)))
      for (const event of ofVisitors) {
        const type = publicName(event)
        const wanting = endpoints.filter((each) => each.project_id === event.projectId && each.events.includes(type))
        const payloads = new Map<boolean, Payload | null>()
        for (const { id, personal, project } of wanting) {
          if (!payloads.has(personal)) payloads.set(personal, await readPayload(work, event, personal))
          const payload = payloads.get(personal)
          if (!payload) continue
          const gid = ids()
          const { data, conversationId, contactId } = payload
          const body = webhookPayload(type, { id: messageId(gid), at: event.at.toISOString(), project, data })
          await work
            .insertInto('webhook_messages')
            .values({
              ...{ gid, project_id: event.projectId, endpoint_id: id, event_id: event.id, type },
              ...{ body: JSON.stringify(body), conversation_id: conversationId, contact_id: contactId },
              ...{ status: 'pending', next_at: clock(), created_at: clock() },
            })
            // an event that is handled again (parley events replay) is the message that it was
            .onConflict((known) => known.columns(['endpoint_id', 'event_id']).doNothing())
            .execute()
        }
      }
    },
  })

/** The endpoints of these projects that are switched on. */
async function readEndpoints(work: Work, projects: ReadonlySet<string>) {
  if (projects.size === 0) return []
  return (
    work
      .selectFrom('webhook_endpoints')
      .innerJoin('projects', 'projects.id', 'webhook_endpoints.project_id')
      .select(['webhook_endpoints.id', 'webhook_endpoints.project_id', 'personal', 'events', 'projects.gid as project'])
      // one statement, however many projects these are: connections keep it prepared
      .where(sql<boolean>`webhook_endpoints.project_id = any(${[...projects]}::bigint[])`)
      .where('enabled', '=', true)
      .execute()
  )
}

/** What receivers know a message by: the header `webhook-id`. */
export const messageId = (gid: string): string => `msg_${gid}`
