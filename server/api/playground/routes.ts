import type { FastifyInstance } from 'fastify'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import type { Host } from '../../host/createHost'
import { receiveReply } from '../../host/receiveReply'
import type { ConversationRef, Transcript } from '../../host/rows'
import type { SentFiles } from '../../host/sentFiles'
import { streamUpdates } from '../../host/streamUpdates'
import { presentConversation } from '../chat/presenter'
import { lastEventId, lengthOf, takeFiles } from '../chat/routes'
import { readChatbotFlows } from '../flows/chatbotFlows'
import { findFlow } from '../flows/findFlow'
import { freezeDraft } from '../flows/versions'
import { registerRoute } from '../register'
import * as contract from './contract'
import { presentDebug } from './presenter'

/** The testers' routes: the draft, run on the server by the same engine as what is published, with a record of every step. */
export function registerPlayground(
  app: FastifyInstance,
  context: ServerContext,
  host: Host,
  documents: Documents,
  files: SentFiles,
): void {
  registerRoute(app, context, contract.startPlayground, async ({ params, body, caller }) => {
    const { chatbot_id } = await findFlow(context, caller.project.id, params)
    const flows = await readChatbotFlows(context, documents, caller.project.id, chatbot_id)
    const versionId = await freezeDraft(context, flows.place, flows)
    const { ref } = await host.start({
      projectId: caller.project.id,
      chatbotId: chatbot_id,
      versionId,
      environment: 'editor',
      clientId: body.client_id,
      startedBy: caller.user.id,
      event: {
        type: 'start',
        ...(body.as?.url && { url: body.as.url }),
        ...(body.as?.away_days !== undefined && { awayDays: body.as.away_days }),
      },
      known: {
        user_id: caller.user.gid,
        ...(body.as?.language && { language: body.as.language.toLowerCase() }),
      },
    })
    return presentWithDebug(ref, await host.read(ref))
  })

  registerRoute(app, context, contract.sendPlaygroundMessage, async ({ params, body, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const row = await host.findForTester(place(flow), params.conversation, caller.user.id)
    return presentWithDebug(row, await host.reply(row, body.client_id, await receiveReply(files, row, body.reply)))
  })

  app.register(async (scope) => {
    takeFiles(scope)
    registerRoute(scope, context, contract.sendPlaygroundFile, async ({ params, query, body, caller, request }) => {
      const flow = await findFlow(context, caller.project.id, params)
      const row = await host.findForTester(place(flow), params.conversation, caller.user.id)
      return { file: await files.receive(row, { name: query.name, length: lengthOf(request), body }) }
    })
  })

  registerRoute(app, context, contract.playgroundEvents, async ({ params, query, caller, request, reply }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const row = await host.findForTester(place(flow), params.conversation, caller.user.id)
    await streamUpdates({
      reply,
      after: lastEventId(request) ?? query.after,
      subscribe: (listener) => host.updates.subscribe(row.id, listener),
      async read(after) {
        const data = await presentWithDebug(row, await host.read(row, after + 1))
        return { last: data.conversation.messages.at(-1)?.seq ?? after, data }
      },
    })
  })

  const presentWithDebug = async (ref: ConversationRef, transcript: Transcript) => ({
    conversation: presentConversation(transcript),
    debug: await presentDebug(context, ref),
  })
}

const place = (flow: { chatbot_id: string; project_id: string }) => ({
  id: flow.chatbot_id,
  projectId: flow.project_id,
})
