import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createAttempts } from '../../attempts'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { Host } from '../../host/createHost'
import { streamUpdates } from '../../host/streamUpdates'
import { registerRoute } from '../register'
import * as contract from './contract'
import { presentConversation } from './presenter'

/** The visitors' routes: a published chatbot by its slug, a conversation by its id and secret. */
export function registerChat(app: FastifyInstance, context: ServerContext, host: Host): void {
  const { chatStartsPerMinute, chatMessagesPerMinute } = context.config
  const startsOfAddress = createAttempts(context.clock, chatStartsPerMinute || Number.POSITIVE_INFINITY)
  const messagesOf = createAttempts(context.clock, chatMessagesPerMinute || Number.POSITIVE_INFINITY)

  registerRoute(app, context, contract.chatPage, async ({ params }) => {
    const page = await findPublished(context, params.slug)
    return { name: page.name, language: page.language }
  })

  registerRoute(app, context, contract.startConversation, async ({ params, body, request }) => {
    startsOfAddress.take(request.ip)
    const page = await findPublished(context, params.slug)
    const { ref, token } = await host.start({
      ...page,
      environment: 'sharing',
      clientId: body.client_id,
      startedBy: null,
    })
    return { token: token ?? '', conversation: presentConversation(await host.read(ref)) }
  })

  registerRoute(app, context, contract.readConversation, async ({ params, request }) => {
    const ref = await host.findForVisitor(params.slug, params.conversation, bearer(request))
    return { conversation: presentConversation(await host.read(ref)) }
  })

  registerRoute(app, context, contract.sendMessage, async ({ params, body, request }) => {
    const ref = await host.findForVisitor(params.slug, params.conversation, bearer(request))
    messagesOf.take(ref.id)
    return { conversation: presentConversation(await host.reply(ref, body.client_id, body.reply)) }
  })

  registerRoute(app, context, contract.conversationEvents, async ({ params, query, request, reply }) => {
    const ref = await host.findForVisitor(params.slug, params.conversation, query.token)
    await streamUpdates({
      reply,
      after: lastEventId(request) ?? query.after,
      subscribe: (listener) => host.updates.subscribe(ref.id, listener),
      async read(after) {
        const conversation = presentConversation(await host.read(ref, after + 1))
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

/** Browsers send it when they connect again; what is none of ours is passed over. */
export function lastEventId(request: FastifyRequest): number | undefined {
  return contract.sequence.safeParse(request.headers['last-event-id'] || undefined).data
}
