import type { FastifyInstance } from 'fastify'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { Conversation, Host } from '../../host/createHost'
import { streamUpdates } from '../../host/streamUpdates'
import { lastEventId } from '../chat/routes'
import { presentConversation } from '../chat/presenter'
import { freezeDraft } from '../flows/versions'
import { registerRoute } from '../register'
import * as contract from './contract'
import { presentDebug } from './presenter'

/** The testers' routes: the draft, run on the server by the same engine as what is published, with a record of every step. */
export function registerPlayground(app: FastifyInstance, context: ServerContext, host: Host, documents: Documents): void {
  registerRoute(app, context, contract.startPlayground, async ({ params, body, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const draft = await documents.readFlow(caller.project.id, flow.id)
    const versionId = await freezeDraft(context, flow, draft)
    const { ref } = await host.start({
      projectId: caller.project.id,
      chatbotId: flow.chatbot_id,
      versionId,
      environment: 'editor',
      clientId: body.client_id,
      startedBy: caller.user.id,
    })
    return present(ref)
  })

  registerRoute(app, context, contract.sendPlaygroundMessage, async ({ params, body, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const row = await host.findForTester(place(flow), params.conversation, caller.user.id)
    await host.reply(row, body.client_id, body.reply)
    return present(row, row.last_seq + 1)
  })

  registerRoute(app, context, contract.playgroundEvents, async ({ params, query, caller, request, reply }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const row = await host.findForTester(place(flow), params.conversation, caller.user.id)
    await streamUpdates({
      reply,
      after: lastEventId(request) ?? query.after,
      subscribe: (listener) => host.updates.subscribe(row.id, listener),
      async read(after) {
        const data = await present(row, after + 1)
        const last = data.conversation.messages.at(-1)?.seq
        return last === undefined ? null : { last, data }
      },
    })
  })

  async function present(row: Pick<Conversation, 'id' | 'project_id'>, from = 1) {
    const [conversation, debug] = await Promise.all([presentConversation(context, row, from), presentDebug(context, row)])
    return { conversation, debug }
  }
}

const place = (flow: { chatbot_id: string; project_id: string }) => ({ id: flow.chatbot_id, projectId: flow.project_id })

async function findFlow({ db }: ServerContext, projectId: string, params: { cgid: string; fid: string }) {
  const flow = await db
    .selectFrom('flows')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'flows.chatbot_id').onRef('chatbots.project_id', '=', 'flows.project_id'),
    )
    .select(['flows.id', 'flows.chatbot_id', 'flows.project_id'])
    .where('flows.gid', '=', params.fid)
    .where('flows.project_id', '=', projectId)
    .where('chatbots.gid', '=', params.cgid)
    .executeTakeFirst()
  if (!flow) throw new ApiError('not_found')
  return flow
}
