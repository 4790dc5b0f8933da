import type { FastifyInstance } from 'fastify'
import { flowFile } from '../../../engine/flow/canonical'
import { remapFlows } from '../../../engine/flow/otherFlows'
import type { Registry } from '../../../engine/flow/registry'
import { type ChatbotFlows, type Flow, type FlowFile, flowCaps, flowFileSchema } from '../../../engine/flow/schema'
import { chatUrlOf } from '../../chatOrigin'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import { registerRoute } from '../register'
import { isAllowed } from '../roles'
import { freezeNumbered, setPublished } from '../versions/freeze'
import { presentVersion } from '../versions/presenter'
import { refuseErrors } from '../versions/publishCheck'
import { announceChatbot } from './announce'
import { addFlows, readChatbotFlows, soundFlows } from './chatbotFlows'
import { exportFlow, importFlow, openDocument, publishFlow, unpublishFlow } from './contract'
import { findFlow, findMainFlow } from './findFlow'
import { countBlocks, readFlowFile } from './readFlowFile'

/** A flow's draft as a whole (open, export, import) and its versions. What is typed goes over the socket (server/collab). */
export function registerFlows(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { db, registry, config } = context

  registerRoute(app, context, openDocument, async ({ params, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    return { room: flow.gid, read_only: !isAllowed(caller.roles, 'builder.update') }
  })

  registerRoute(app, context, exportFlow, async ({ params, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const file = flow.is_main
      ? chatbotFile(await readChatbotFlows(context, documents, flow.project_id, flow.chatbot_id), registry)
      : await readDraft(flow)
    refuseUnsound(file)
    return file
  })

  registerRoute(app, context, importFlow, async ({ params, body, caller }) => {
    const place = await findFlow(context, caller.project.id, params)
    const { flows, result } = readFlowFile(body.source, context)
    if (body.mode === 'insert') refuseCrowd(await readDraft(place), flows.main)
    const chatbot = { id: place.chatbot_id, projectId: place.project_id }
    await db.transaction().execute((trx) => addFlows(context, trx, documents, chatbot, flows.others))
    await documents.writeFlow(place.project_id, place.id, flows.main, { mode: body.mode })
    return result
  })

  registerRoute(app, context, publishFlow, async ({ params, body, caller }) => {
    const place = await findMainFlow(context, caller.project.id, params)
    const drafts = await readChatbotFlows(context, documents, place.project_id, place.chatbot_id)
    const flows = soundFlows(drafts, registry)
    refuseErrors(flows, registry)
    const version = await db.transaction().execute(async (trx) => {
      const frozen = await freezeNumbered(trx, context, drafts.place, flows, {
        ...body,
        userId: caller.user.id,
        published: true,
      })
      await setPublished(trx, context, place, { versionId: frozen.id, userId: caller.user.id })
      return frozen
    })
    await announceChatbot(context, documents, { id: place.chatbot_id, projectId: place.project_id })
    return { version: presentVersion({ ...version, ...caller.user }), url: `${chatUrlOf(config)}/c/${place.slug}` }
  })

  registerRoute(app, context, unpublishFlow, async ({ params, caller }) => {
    const place = await findMainFlow(context, caller.project.id, params)
    await setPublished(db, context, place, null)
    await announceChatbot(context, documents, { id: place.chatbot_id, projectId: place.project_id })
    return {}
  })

  const readDraft = (place: { id: string; project_id: string }) => documents.readFlow(place.project_id, place.id)
}

/** A file's flows have ids of their own, in their order: of a copy made from it, the same file can be made again. */
function chatbotFile(flows: ChatbotFlows, registry: Registry): FlowFile {
  const ids = flows.others.map(({ id }, index) => [id, `flow-${index + 1}`] as const)
  return flowFile(remapFlows(flows, registry, new Map(ids)))
}

/** A draft holds whatever clients put into it: what no flow may have is the caller's to mend, no failure of ours. */
function refuseUnsound(draft: FlowFile): void {
  const [issue] = flowFileSchema.safeParse(draft).error?.issues ?? []
  if (!issue) return
  throw new ApiError('invalid', {
    message: `The draft can't be exported: ${issue.path.join('.')}: ${issue.message}. Correct it and export again.`,
  })
}

function refuseCrowd(present: Flow, added: Flow): void {
  const full =
    present.groups.length + added.groups.length > flowCaps.groups ||
    countBlocks(present) + countBlocks(added) > flowCaps.blocks ||
    present.edges.length + added.edges.length > flowCaps.edges ||
    present.variables.length + added.variables.length > flowCaps.variables
  if (full)
    throw new ApiError('too_large', {
      message: 'The flow would be too large with this in it. Import it into a chatbot of its own.',
    })
}
