import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerRoute } from '../../../access/register'
import type { Publication } from '../../../contracts/chat'
import * as contract from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { callerAddress } from '../../../platform/http/callerAddress'
import { lengthOf } from '../../../platform/http/fileBody'
import type { Mailer } from '../../mails/createMailer'
import type { Publications } from '../../web/publications'
import type { Channels } from '../channels/channel'
import { createWatchers } from '../continuation/createWatchers'
import { redirect } from '../files/redirect'
import type { Runtime } from '../runtime/createRuntime'
import { receiveReply } from '../runtime/receiveReply'
import type { SentFiles } from '../runtime/sentFiles'
import { createStreams } from '../runtime/streamUpdates'
import { chatPageOf } from './chatPageOf'
import { findPublished } from './findPublished'
import { registerMessages } from './messageRoutes'
import { presentConversation, presentOpening } from './presenter'
import type { createStart } from './startChat'
import type { VisitorLimits } from './visitorLimits'
import { writtenIn } from './writtenIn'

/** Uploads that one conversation may make in a minute. */
const FILES_PER_MINUTE = 60

interface ChatParts {
  channels: Channels
  runtime: Runtime
  files: SentFiles
  send: Mailer
  publications: Publications
  visitorLimits: VisitorLimits
  start: ReturnType<typeof createStart>
}

/** The visitors' routes: a published chatbot by its slug, a conversation by its id and secret. */
export function registerChat(
  app: FastifyInstance,
  context: ServerContext,
  { channels, runtime, files, send, publications, visitorLimits, start }: ChatParts,
): void {
  const { limits, config } = context
  const stream = createStreams()
  const watchers = createWatchers(context)
  const filesOf = limits.attempts('files of a conversation', FILES_PER_MINUTE)
  const messagesOf = limits.attempts('messages of a conversation', config.chatMessagesPerMinute || Infinity)

  registerRoute(app, context, contract.chatPage, async ({ params: { slug }, request }) =>
    chatPageOf(context, channels, await findPublished(context, slug), {
      slug,
      ...(request.chatbotHost && { from: 'domain' as const }),
    }),
  )

  registerRoute(app, context, contract.startConversation, ({ params: { slug }, body, place, request }) =>
    start(body, { slug, address: callerAddress(request.ip), place }),
  )

  type Named = { slug: string; conversation: string }
  const visitorOf = ({ slug: name, conversation: gid }: Named, token: string) => ({ name, gid, token })
  const ofVisitor = (params: Named, token: string) => runtime.findForVisitor(visitorOf(params, token))
  const ofWriter = (params: Named, token: string) => runtime.findWriter(visitorOf(params, token))

  registerRoute(
    app,
    context,
    contract.readConversation,
    async ({ caller }) => {
      const { conversation: ref } = caller
      const conversation = presentOpening(context.config, await runtime.read(ref, { latest: contract.MESSAGES_A_PAGE }))
      return { conversation, renews: await runtime.renews(ref) }
    },
    ofVisitor,
  )

  registerRoute(
    app,
    context,
    contract.sendMessage,
    async ({ params, caller: { conversation: ref, token }, body, place, request }) => {
      await messagesOf.take(ref.id)
      const reply = await receiveReply(files, ref, body.reply)
      const transcript = await runtime.replyOfVisitor(visitorOf(params, token), body.client_id, reply, {
        place,
        admit: ({ row, visibility }) =>
          visitorLimits.take(visibility, {
            chatbotId: row.chatbot_id,
            visitor: row.visitor_hash?.toString('base64') ?? row.id,
            address: callerAddress(request.ip),
          }),
      })
      const language = body.reply.type === 'text' ? await writtenIn(body.reply.text) : null
      return { conversation: presentConversation(context.config, transcript), language }
    },
    // whether they may write is checked with the turn
    (params, token) => runtime.recallForVisitor(visitorOf(params, token)),
  )

  registerMessages(app, context, { send, runtime }, ofVisitor)

  registerRoute(
    app,
    context,
    contract.setVariables,
    async ({ caller: { conversation: ref }, body }) => {
      await messagesOf.take(ref.id)
      await runtime.setNamed(ref, body.variables)
      return {}
    },
    ofWriter,
  )

  app.register(async (scope) => {
    takeFiles(scope)
    registerRoute(
      scope,
      context,
      contract.sendFile,
      async ({ caller: { conversation: ref }, query, body, request }) => {
        await filesOf.take(ref.id)
        return {
          file: await files.receive(ref, { name: query.name, length: lengthOf(request), body, address: request.ip }),
        }
      },
      ofWriter,
    )
  })

  registerRoute(app, context, contract.readSentFile, async ({ params, reply }) => {
    const file = await files.read(params.gid)
    if (file.link !== null) return redirect(reply.header('x-robots-tag', 'noindex'), file.link, 'private')
    reply.headers({
      'cache-control': 'private, max-age=31536000, immutable',
      // whatever the bytes may be to a browser, nothing in them runs
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'content-disposition': file.disposition,
      'cross-origin-resource-policy': 'cross-origin',
      'content-type': file.type,
      'content-length': file.size,
    })
    return reply.send(file.bytes)
  })

  registerRoute(
    app,
    context,
    contract.conversationEvents,
    async ({ caller: { conversation: found }, params, query, request, reply }) => {
      const { raw } = reply
      // all that thousands of idle pages keep of it: not the settings by which they were let in
      const ref = { id: found.id, project_id: found.project_id }
      const leave = publications.subscribe(found.chatbot_id, (what) => {
        const publication: Publication = { what }
        if (raw.writableEnded || raw.writableNeedDrain) return
        raw.write(`event: published\ndata: ${JSON.stringify(publication)}\n\n`)
      })
      raw.on('close', leave)
      // who has the page open may look at it: what people answer is not mailed meanwhile
      raw.on('close', watchers.watch(ref))
      await stream({
        reply,
        address: callerAddress(request.ip),
        conversation: ref.id,
        after: lastEventId(request) ?? query.after,
        subscribe: (listener, onDraft) => runtime.updates.subscribe(ref.id, listener, onDraft),
        async read(after) {
          // what ended meanwhile ends the stream: a new password, a chatbot that is taken back
          await ofVisitor(params, query.token)
          const conversation = presentConversation(context.config, await runtime.read(ref, after + 1))
          return { last: conversation.messages.at(-1)?.seq ?? after, data: { conversation } }
        },
      })
    },
    ofVisitor,
  )
}

/** The body is the file: whoever may not send one has it refused before a byte is read. */
export const takeFiles = (scope: FastifyInstance): void =>
  void scope.addContentTypeParser('*', (_, body, done) => done(null, body))

/** Browsers send it when they connect again; what is none of ours is passed over. */
export function lastEventId(request: FastifyRequest): number | undefined {
  return contract.sequence.safeParse(request.headers['last-event-id'] || undefined).data
}
