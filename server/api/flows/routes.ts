import type { FastifyInstance } from 'fastify'
import { parseFlow } from '../../../engine/flow/parseFlow'
import type { Registry } from '../../../engine/flow/registry'
import { type Flow, flowCaps, flowSchema } from '../../../engine/flow/schema'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import { registerRoute } from '../register'
import { isAllowed } from '../roles'
import { exportFlow, importFlow, listVersions, openDocument, publishFlow, unpublishFlow } from './contract'
import { findFlow } from './findFlow'
import { presentVersion } from './presenter'
import { countBlocks, readFlowFile, refusing } from './readFlowFile'
import { publishVersion, unpublish, versionsOf } from './versions'

/** A flow's draft as a whole (open, export, import) and its versions. What is typed goes over the socket (server/collab). */
export function registerFlows(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { registry, config } = context

  registerRoute(app, context, openDocument, async ({ params, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    return { room: flow.gid, read_only: !isAllowed(caller.roles, 'builder.update') }
  })

  registerRoute(app, context, exportFlow, async ({ params, caller }) => {
    const flow = await findFlow(context, caller.project.id, params)
    const draft = await readDraft(flow)
    refuseUnsound(draft)
    return draft
  })

  registerRoute(app, context, importFlow, async ({ params, body, caller }) => {
    const place = await findFlow(context, caller.project.id, params)
    const { flow, ...report } = readFlowFile(body.source, context)
    if (body.mode === 'insert') refuseCrowd(await readDraft(place), flow)
    await documents.writeFlow(place.project_id, place.id, flow, { mode: body.mode })
    return report
  })

  registerRoute(app, context, publishFlow, async ({ params, caller }) => {
    const place = await findFlow(context, caller.project.id, params)
    const flow = refusing('flow', parsing(await readDraft(place)))
    if (!hasStart(flow, registry)) {
      throw new ApiError('invalid', {
        message: 'The flow has no start: add the Start block, which begins a conversation, and publish again.',
      })
    }
    const version = await publishVersion(context, place, flow, caller.user.id)
    return { version: presentVersion({ ...version, ...caller.user }), url: `${config.publicUrl}/c/${place.slug}` }
  })

  registerRoute(app, context, unpublishFlow, async ({ params, caller }) => {
    await unpublish(context, await findFlow(context, caller.project.id, params))
    return {}
  })

  registerRoute(app, context, listVersions, async ({ params, caller }) => {
    const place = await findFlow(context, caller.project.id, params)
    return { versions: (await versionsOf(context, place)).map(presentVersion) }
  })

  const readDraft = (place: { id: string; project_id: string }) => documents.readFlow(place.project_id, place.id)
  const parsing = (flow: Flow) => () => parseFlow(flow, registry)
}

/** A draft holds whatever clients put into it: what no flow may have is the caller's to mend, no failure of ours. */
function refuseUnsound(draft: Flow): void {
  const [issue] = flowSchema.safeParse(draft).error?.issues ?? []
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

function hasStart(flow: Flow, registry: Registry): boolean {
  return flow.groups.some(({ blocks }) =>
    blocks.some(({ kind, data }) => {
      const definition = registry.find(kind)
      const parsed = definition?.schema.safeParse(data)
      return parsed?.success && definition?.startsOn?.(parsed.data, { type: 'start' })
    }),
  )
}
