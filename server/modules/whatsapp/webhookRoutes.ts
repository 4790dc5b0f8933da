import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { receiveWhatsappWebhook, verifyWhatsappWebhook } from '../../contracts/whatsapp'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import type { Connections } from './connections'
import type { WebhookStore } from './storeWebhooks'

/** WhatsApp's calls of ours: whether the address is ours, and what people wrote. */
export function registerWebhook(
  app: FastifyInstance,
  context: ServerContext,
  { connections, webhooks }: { connections: Connections; webhooks: WebhookStore },
): void {
  registerRoute(app, context, verifyWhatsappWebhook, async ({ params, query, reply }) => {
    const row = await connections.byGid(params.connection)
    const verify = row && connections.keysOf(row)?.verify
    if (query['hub.mode'] !== 'subscribe' || !verify || !isSame(query['hub.verify_token'], verify))
      throw new ApiError('forbidden')
    reply.type('text/plain').send(query['hub.challenge'])
    return query['hub.challenge']
  })

  registerRoute(
    app,
    context,
    receiveWhatsappWebhook,
    async ({ params, body }) => {
      // what the route's `bytes` says
      if (!(body instanceof Uint8Array)) throw new ApiError('invalid')
      await webhooks.store({ gid: params.connection, body })
      return {}
    },
    ({ connection }) => webhooks.secretOf(connection),
  )
}

/** In constant time. */
function isSame(given: string, wanted: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === two.length && timingSafeEqual(one, two)
}
