import type { FastifyInstance } from 'fastify'
import { isOverLimit } from '../../../access/access'
import { findFlow, findMainFlow } from '../../../access/findFlow'
import { answerAsIs, registerRoute } from '../../../access/register'
import { isAllowed } from '../../../access/roles'
import { exportFlow, importFlow, openDocument, publishFlow, unpublishFlow } from '../../../contracts/flows'
import type { ServerContext } from '../../../platform/context'
import { appendEvent } from '../../../platform/events/defineEvent'
import { chatUrlOf } from '../../../platform/http/chatOrigin'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { takeIn } from '../../secrets/takeIn'
import type { Documents } from '../collab/documents'
import { flowCreated, flowImported, flowPublished, flowUnpublished } from '../events'
import { freezeNumbered, setPublished } from '../versions/freeze'
import { presentVersion } from '../versions/presenter'
import { announceChatbot } from './announce'
import { addFlows, readChatbotDrafts } from './chatbotFlows'
import { withNotes } from './readFlowFile'

/**
 * Routes for a flow's draft as a whole (open, export, import). Edits go over the socket (server/modules/flows/collab).
 */
export function registerFlows(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { config } = context
  const { drafts } = documents
  const secrets = createProjectSecrets(context)

  registerRoute(app, context, openDocument, async ({ params, caller }) => {
    const flow = await findFlow(caller, caller.project.id, params)
    const isOver = caller.over || (await isOverLimit(caller.db, caller.project.id, params.cgid))
    return { room: flow.gid, read_only: isOver || !isAllowed(caller.roles, 'builder.update') }
  })

  registerRoute(app, context, exportFlow, async ({ params, caller, reply }) => {
    const flow = await findFlow(caller, caller.project.id, params)
    const stored = flow.is_main
      ? (await readChatbotDrafts(caller, documents, flow.project_id, flow.chatbot_id)).drafts
      : [{ id: flow.gid, title: flow.title, parts: await documents.readParts(flow.project_id, flow.id) }]
    const file = await drafts.work(flow.project_id, 'exportFile', { drafts: stored })
    return answerAsIs(reply, file)
  })

  registerRoute(app, context, importFlow, async ({ params, body, caller, origin }) => {
    const place = await findFlow(caller, caller.project.id, params)
    const chatbot = { id: place.chatbot_id, projectId: place.project_id }
    const make = async (parts: Uint8Array[]) => {
      const { source, mode } = body
      const { result, others, update, pieces, notes } = await takeIn(context, origin, (present) =>
        drafts.work(place.project_id, 'importFile', { source, parts, mode, present }),
      )
      await caller.db.transaction().execute(async (trx) => {
        const added = await addFlows(context, trx, documents, chatbot, others)
        for (const { gid, title } of added)
          await appendEvent(trx, flowCreated, origin, { chatbot: params.cgid, flow: gid, title })
        const { gid: flow, title } = place
        await appendEvent(trx, flowImported, origin, { chatbot: params.cgid, flow, title, mode })
      })
      return { result: withNotes(result, notes), update, pieces }
    }
    return documents.changeWhole(place.project_id, place.id, make, caller.user.id)
  })

  registerRoute(app, context, publishFlow, async ({ params, body, caller, origin }) => {
    const place = await findMainFlow(caller, caller.project.id, params)
    const { drafts: stored, place: main } = await readChatbotDrafts(
      caller,
      documents,
      place.project_id,
      place.chatbot_id,
    )
    const present = await secrets.namesOf(place.project_id)
    const flows = await drafts.work(place.project_id, 'freeze', { drafts: stored, checked: { secrets: present } })
    const version = await caller.db.transaction().execute(async (trx) => {
      const frozen = await freezeNumbered(trx, context, main, flows, {
        ...body,
        userId: caller.user.id,
        published: true,
      })
      await setPublished(trx, context, place, { versionId: frozen.id, userId: caller.user.id })
      await appendEvent(trx, flowPublished, origin, { chatbot: params.cgid, version: frozen.number ?? 0 })
      return frozen
    })
    await announceChatbot(caller, documents, { id: place.chatbot_id, projectId: place.project_id })
    return { version: presentVersion({ ...version, ...caller.user }), url: `${chatUrlOf(config)}/c/${place.slug}` }
  })

  registerRoute(app, context, unpublishFlow, async ({ params, caller, origin }) => {
    const place = await findMainFlow(caller, caller.project.id, params)
    await caller.db.transaction().execute(async (trx) => {
      await setPublished(trx, context, place, null)
      await appendEvent(trx, flowUnpublished, origin, { chatbot: params.cgid })
    })
    await announceChatbot(caller, documents, { id: place.chatbot_id, projectId: place.project_id })
    return {}
  })
}
