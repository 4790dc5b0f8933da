import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { askForWhatsapp, offerWeb, offerWhatsapp, openLink } from '../../contracts/whatsappContinuation'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { WEB } from '../conversations/channels/channel'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { readWebChat } from '../web/webSettings'
import { WHATSAPP } from './channelName'
import type { Connections } from './connections'
import type { Continuation } from './continuation'
import { whatsappOffered } from './events'
import type { ToWeb } from './toWeb'

interface Parts {
  connections: Connections
  continuation: Pick<Continuation, 'offer'>
  toWeb: ToWeb
  runtime: Pick<Runtime, 'findForVisitor'>
}

/** Links that one conversation's visitor may ask for in a minute. */
const LINKS = 10

/**
 * Lets members offer the visitor of a web conversation to go on at WhatsApp, and somebody there on the web; visitors of
 * the web may go on by themselves where the chatbot's look offers it.
 */
export function registerContinuation(
  app: FastifyInstance,
  context: ServerContext,
  { connections, continuation, toWeb, runtime }: Parts,
): void {
  const linksOf = context.limits.attempts('links to WhatsApp of a conversation', LINKS)

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

  registerRoute(
    app,
    context,
    askForWhatsapp,
    async ({ caller: { conversation: ref }, params, request }) => {
      await linksOf.take(ref.id)
      const db = context.db.forProject(ref.project_id)
      const row = await db
        .selectFrom('conversations')
        .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
        .select(['channel', 'chatbot_id', 'chatbots.name', 'chatbots.gid as chatbot'])
        .where('conversations.id', '=', ref.id)
        .where('conversations.project_id', '=', ref.project_id)
        .executeTakeFirstOrThrow()
      const { look } = await readWebChat(db, { projectId: ref.project_id, chatbotId: row.chatbot_id })
      const connection =
        row.channel === WEB && look.parts.whatsapp
          ? await connections.ofChatbot(db, ref.project_id, row.chatbot_id)
          : undefined
      if (!connection) throw new ApiError('not_found')
      const { link, expiresAt } = await db.transaction().execute(async (work) => {
        const by = { actor: 'visitor' } as const
        const origin = { projectId: ref.project_id, by, correlation: request.id, at: context.clock() }
        const { chatbot, name } = row
        await appendEvent(work, whatsappOffered, origin, { chatbot, conversation: params.conversation })
        return continuation.offer(work, connection, { id: ref.id, chatbot: look.brand.name || name }, null)
      })
      return { link, expires_at: expiresAt.toISOString() }
    },
    ({ slug, conversation: gid }, token) => runtime.findForVisitor({ name: slug, gid, token }),
  )

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
    const place = { ...row, gid: params.conversation }
    const { link, expiresAt } = await toWeb.offer(db, connection, place, { userId: user.id, origin })
    return { link, expires_at: expiresAt.toISOString() }
  })

  registerRoute(app, context, openLink, ({ params: { slug }, body: { client_id: page, token } }) =>
    toWeb.open(slug, { token, page }),
  )
}
