import { webhookPayload } from '../../contracts/webhookEvents'
import type { ServerContext } from '../../platform/context'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { concernsVisitors, type Payload, publicName, readPayload, sources } from './payloads'

/**
 * Writes a message for each endpoint that wants an event: with the consumer's place, so that none is lost and none is
 * written twice. Deliveries send them.
 */
export const recordMessages = ({ clock, ids }: Pick<ServerContext, 'clock' | 'ids'>): Consumer =>
  defineConsumer({
    name: 'webhooks',
    events: sources,
    since: 'now',
    async handle(work, event) {
      const type = publicName(event)
      if (!concernsVisitors(event)) return
      const endpoints = await work
        .selectFrom('webhook_endpoints')
        .innerJoin('projects', 'projects.id', 'webhook_endpoints.project_id')
        .select(['webhook_endpoints.id', 'personal', 'events', 'projects.gid as project'])
        .where('webhook_endpoints.project_id', '=', event.projectId)
        .where('enabled', '=', true)
        .execute()
      const wanting = endpoints.filter(({ events }) => events.includes(type))
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
    },
  })

/** What receivers know a message by: the header `webhook-id`. */
export const messageId = (gid: string): string => `msg_${gid}`
