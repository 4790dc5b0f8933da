import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { offerWhatsapp } from '../../contracts/whatsappContinuation'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { WEB } from '../conversations/channels/channel'
import type { Connections } from './connections'
import type { Continuation } from './continuation'
import { whatsappOffered } from './events'

/** Lets members offer the visitor of a web conversation to go on at WhatsApp. */
export function registerContinuation(
  app: FastifyInstance,
  context: ServerContext,
  { connections, continuation }: { connections: Connections; continuation: Pick<Continuation, 'offer'> },
): void {
  registerRoute(app, context, offerWhatsapp, async ({ caller: { db, project, user }, params, origin }) => {
    const row = await db
      .selectFrom('conversations')
      .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
      .select(['conversations.id', 'channel', 'chatbot_id', 'chatbots.name', 'chatbots.gid as chatbot', 'status'])
      .where('conversations.gid', '=', params.conversation)
      .where('conversations.project_id', '=', project.id)
      .where('conversations.environment', 'in', ['production', 'sharing'])
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const connection = row.channel === WEB ? await connections.ofChatbot(db, project.id, row.chatbot_id) : undefined
    if (!connection) throw new ApiError('conflict', { message: 'This conversation can’t continue on WhatsApp.' })
    const { link, expiresAt } = await db.transaction().execute(async (work) => {
      const { chatbot, name } = row
      await appendEvent(work, whatsappOffered, origin, { chatbot, conversation: params.conversation })
      return continuation.offer(work, connection, { id: row.id, chatbot: name }, user.id)
    })
    return { link, expires_at: expiresAt.toISOString() }
  })
}
