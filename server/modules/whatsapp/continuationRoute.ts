import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { offerWeb, offerWhatsapp, openLink } from '../../contracts/whatsappContinuation'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { chatUrlOf } from '../../platform/http/chatOrigin'
import { WEB } from '../conversations/channels/channel'
import { findPublished } from '../conversations/chat/findPublished'
import { availabilityOf } from '../web/availability'
import { WHATSAPP } from './channelName'
import type { Connections } from './connections'
import type { Continuation } from './continuation'
import { whatsappOffered } from './events'
import type { ToWeb } from './toWeb'

interface Parts {
  connections: Connections
  continuation: Pick<Continuation, 'offer'>
  toWeb: ToWeb
}

/** Lets members offer the visitor of a web conversation to go on at WhatsApp, and somebody there on the web. */
export function registerContinuation(
  app: FastifyInstance,
  context: ServerContext,
  { connections, continuation, toWeb }: Parts,
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

  registerRoute(app, context, offerWeb, async ({ caller: { db, project, user }, params, origin }) => {
    const row = await db
      .selectFrom('conversations')
      .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
      .select(['conversations.id', 'channel', 'chatbot_id', 'chatbots.slug', 'chatbots.gid as chatbot'])
      .where('conversations.gid', '=', params.conversation)
      .where('conversations.project_id', '=', project.id)
      .where('conversations.environment', 'in', ['production', 'sharing'])
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const connection =
      row.channel === WHATSAPP ? await connections.ofChatbot(db, project.id, row.chatbot_id) : undefined
    if (!connection) throw new ApiError('conflict', { message: 'This conversation can’t continue on the web.' })
    const { web, lock } = await findPublished(context, row.slug)
    if (lock || availabilityOf(web.visibility, context.clock()).state !== 'open')
      throw new ApiError('conflict', { message: 'The chatbot’s page is not open to everybody.' })
    const { token, expiresAt } = await db.transaction().execute(async (work) => {
      await appendEvent(work, whatsappOffered, origin, { chatbot: row.chatbot, conversation: params.conversation })
      return toWeb.offer(work, connection, row.id, user.id)
    })
    const link = `${chatUrlOf(context.config)}/c/${row.slug}#whatsapp=${token}`
    return { link, expires_at: expiresAt.toISOString() }
  })

  registerRoute(app, context, openLink, ({ params: { slug }, body: { client_id: page, token } }) =>
    toWeb.open(slug, { token, page }),
  )
}
