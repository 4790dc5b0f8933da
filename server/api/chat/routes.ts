import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { Host } from '../../host/createHost'
import { streamUpdates } from '../../host/streamUpdates'
import { registerRoute } from '../register'
import * as contract from './contract'
import { presentConversation } from './presenter'

/** The visitors' routes: a published chatbot by its slug, a conversation by its id and secret. */
export function registerChat(app: FastifyInstance, context: ServerContext, host: Host): void {
  registerRoute(app, context, contract.chatPage, async ({ params }) => {
    const page = await findPublished(context, params.slug)
    return { name: page.name, language: page.language }
  })

  registerRoute(app, context, contract.startConversation, async ({ params, body }) => {
    const page = await findPublished(context, params.slug)
    const { ref, token } = await host.start({ ...page, environment: 'sharing', clientId: body.client_id, startedBy: null })
    return { token: token ?? '', conversation: await presentConversation(context, ref) }
  })

  registerRoute(app, context, contract.readConversation, async ({ params, request }) => {
    const page = await findPublished(context, params.slug)
    const row = await host.findForVisitor({ id: page.chatbotId, ...page }, params.conversation, bearer(request))
    return { conversation: await presentConversation(context, row) }
  })

  registerRoute(app, context, contract.sendMessage, async ({ params, body, request }) => {
    const page = await findPublished(context, params.slug)
    const row = await host.findForVisitor({ id: page.chatbotId, ...page }, params.conversation, bearer(request))
    await host.reply(row, body.client_id, body.reply)
    return { conversation: await presentConversation(context, row, row.last_seq + 1) }
  })

  registerRoute(app, context, contract.conversationEvents, async ({ params, query, request, reply }) => {
    const page = await findPublished(context, params.slug)
    const row = await host.findForVisitor({ id: page.chatbotId, ...page }, params.conversation, query.token)
    await streamUpdates({
      reply,
      after: lastEventId(request) ?? query.after,
      subscribe: (listener) => host.updates.subscribe(row.id, listener),
      async read(after) {
        const conversation = await presentConversation(context, row, after + 1)
        const last = conversation.messages.at(-1)?.seq
        return last === undefined ? null : { last, data: { conversation } }
      },
    })
  })
}

/** The chatbot behind a slug, while it is published. Throws not_found. */
async function findPublished({ db }: ServerContext, slug: string) {
  // The slug is the tenant's own, unique in the installation: it names chatbot and project.
  const row = await db
    .selectFrom('chatbots')
    .innerJoin('flows', (join) =>
      join
        .onRef('flows.chatbot_id', '=', 'chatbots.id')
        .onRef('flows.project_id', '=', 'chatbots.project_id')
        .on('flows.is_main', '=', true),
    )
    .select(['chatbots.id', 'chatbots.name', 'chatbots.project_id', 'flows.published_version_id'])
    .where('chatbots.slug', '=', slug)
    .executeTakeFirst()
  if (!row?.published_version_id) throw new ApiError('not_found', { message: 'This chatbot is not available.' })
  return {
    chatbotId: row.id,
    projectId: row.project_id,
    versionId: row.published_version_id,
    name: row.name,
    language: 'en',
  }
}

function bearer(request: FastifyRequest): string {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw new ApiError('not_found')
  return token
}

/** Browsers send it when they connect again. */
export function lastEventId(request: FastifyRequest): number | undefined {
  const value = Number(request.headers['last-event-id'])
  return Number.isInteger(value) && value >= 0 && request.headers['last-event-id'] !== '' ? value : undefined
}
