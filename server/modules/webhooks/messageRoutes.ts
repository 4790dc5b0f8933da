import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { isAllowed } from '../../access/roles'
import { webhookExamples, webhookPayload } from '../../contracts/webhookEvents'
import * as contract from '../../contracts/webhooks'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import type { createAttempts } from './attempt'
import type { Deliveries } from './deliveries'
import { webhookReplayed } from './events'
import { messageRows, presentAttempt, presentMessages } from './presenter'
import { messageId } from './recordMessages'

interface Parts {
  attempt: ReturnType<typeof createAttempts>
  deliveries: Deliveries
}

/** Who may read what visitors say may read what was sent. */
const mayRead = (roles: readonly number[]) => isAllowed(roles, 'conversations.view')

/** Routes for what was sent: the log, tests, and sending again. */
export function registerMessages(app: FastifyInstance, context: ServerContext, { attempt, deliveries }: Parts): void {
  const { clock, ids } = context

  registerRoute(app, context, contract.listWebhookMessages, async ({ caller: { db, roles }, params, query }) => {
    const { id } = await endpointOf(db, params.gid)
    const rows = await messageRows(db, id)
      .$if(query.status !== undefined, (some) => some.where('status', '=', query.status ?? 'pending'))
      .$if(query.before !== undefined, (some) =>
        some.where('id', '<', ({ selectFrom }) =>
          selectFrom('webhook_messages as last')
            .select('last.id')
            .where('last.gid', '=', query.before ?? ''),
        ),
      )
      .orderBy('id', 'desc')
      .limit(contract.WEBHOOK_MESSAGES_SHOWN + 1)
      .execute()
    const shown = rows.slice(0, contract.WEBHOOK_MESSAGES_SHOWN)
    return {
      messages: await presentMessages(db, shown, mayRead(roles)),
      more: rows.length > contract.WEBHOOK_MESSAGES_SHOWN,
    }
  })

  registerRoute(app, context, contract.readWebhookMessage, async ({ caller: { db, roles }, params }) => {
    const { id } = await endpointOf(db, params.gid)
    const row = await messageRows(db, id).select('body').where('gid', '=', params.mgid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const attempts = await db
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('message_id', '=', row.id)
      .orderBy('id', 'desc')
      .limit(contract.WEBHOOK_MESSAGES_SHOWN)
      .execute()
    const reads = mayRead(roles)
    const [message] = await presentMessages(db, [row], reads)
    if (!message) throw new ApiError('not_found')
    return {
      message,
      body: reads || message.test ? row.body : null,
      attempts: attempts.map((each) => presentAttempt(each, reads)),
    }
  })

  registerRoute(app, context, contract.testWebhook, async ({ caller: { db, project, roles }, params, body }) => {
    const endpoint = await endpointOf(db, params.gid)
    const gid = ids()
    const at = clock()
    const { type } = body
    const told = { id: messageId(gid), at: at.toISOString(), project: project.gid, data: webhookExamples[type] }
    const text = JSON.stringify(webhookPayload(type, { ...told, test: true }))
    const outgoing = { ...endpoint, project_id: project.id, endpoint: params.gid, message: gid, body: text }
    const { asked: _, ...attempted } = await attempt(outgoing)
    await db.transaction().execute(async (work) => {
      const { id } = await work
        .insertInto('webhook_messages')
        .values({
          ...{ gid, project_id: project.id, endpoint_id: endpoint.id, event_id: null, type, body: text },
          ...{ conversation_id: null, contact_id: null, attempts: 1, next_at: null, created_at: at },
          status: attempted.error === null ? 'delivered' : 'failed',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await work
        .insertInto('webhook_attempts')
        .values({ project_id: project.id, message_id: id, ...attempted })
        .execute()
    })
    const row = await messageRows(db, endpoint.id).where('gid', '=', gid).executeTakeFirst()
    const [message] = row ? await presentMessages(db, [row], mayRead(roles)) : []
    // the endpoint was deleted meanwhile
    if (!message) throw new ApiError('not_found')
    return { message }
  })

  registerRoute(app, context, contract.replayWebhook, async ({ caller: { db }, params, body, origin }) => {
    const count = await db.transaction().execute(async (work) => {
      const endpoint = await work
        .selectFrom('webhook_endpoints')
        .select(['id', 'enabled'])
        .where('gid', '=', params.gid)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!endpoint) throw new ApiError('not_found')
      if (!endpoint.enabled)
        throw new ApiError('conflict', {
          message: 'This webhook is switched off. Switch it on to send messages again.',
        })
      const { numUpdatedRows } = await work
        .updateTable('webhook_messages')
        .set({ status: 'pending', attempts: 0, next_at: clock() })
        .where('endpoint_id', '=', endpoint.id)
        .$if('message' in body, (one) => one.where('gid', '=', 'message' in body ? body.message : ''))
        .$if('since' in body, (all) =>
          all
            .where('created_at', '>=', new Date('since' in body ? body.since : 0))
            .where('event_id', 'is not', null)
            // one that waits is sent in any case
            .where('status', 'in', 'which' in body && body.which === 'failed' ? ['failed'] : ['failed', 'delivered']),
        )
        .executeTakeFirst()
      const count = Number(numUpdatedRows)
      if (count === 0 && 'message' in body) throw new ApiError('not_found')
      await appendEvent(work, webhookReplayed, origin, { endpoint: params.gid, count })
      return count
    })
    deliveries.wake()
    return { count }
  })
}

/** @throws ApiError not_found */
async function endpointOf(db: ProjectDb, gid: string) {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'sealed_secret', 'sealed_old_secret', 'old_secret_until'])
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}
