import type { FastifyInstance } from 'fastify'
import type { Flow } from '../../../engine/flow/schema'
import { chatbotOf } from '../../access/chatbots'
import { findFlow } from '../../access/findFlow'
import { registerRoute } from '../../access/register'
import { createFlow, deleteFlow, duplicateFlow, listFlows, renameFlow } from '../../contracts/flows'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import type { Documents } from '../flows/collab/documents'
import { flowCreated, flowDeleted, flowRenamed } from '../flows/events'
import { announceChatbot } from '../flows/flows/announce'
import { addFlows, type FlowRow, flowsOf, isTaken, lockFlows } from '../flows/flows/chatbotFlows'
import { firstFlow } from '../flows/flows/firstFlow'
import { copyName } from './addChatbot'

/** Routes for a chatbot's list of flows, and for operations on a flow as a whole. */
export function registerFlowList(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { ids, registry } = context
  const { drafts } = documents
  const enteredFrom = async ({ id, project_id }: FlowRow) =>
    drafts.work(project_id, 'entered', { parts: await documents.readParts(project_id, id) })
  const stored = async (row: FlowRow) => ({
    id: row.gid,
    title: row.title,
    parts: await documents.readParts(row.project_id, row.id),
  })
  const presentAll = async (rows: readonly FlowRow[]) => {
    const [first] = rows
    if (!first) return []
    const listed = await drafts.work(first.project_id, 'outline', { drafts: await Promise.all(rows.map(stored)) })
    return listed.map((flow, at) => ({ ...flow, is_main: rows[at]?.is_main ?? false }))
  }
  const present = async (row: FlowRow) => {
    const [flow] = await presentAll([row])
    if (!flow) throw new ApiError('not_found')
    return flow
  }

  /** Await nothing outside the transaction in it: reading a draft may need another connection. */
  async function add(
    db: ProjectDb,
    chatbot: { id: string; gid: string; projectId: string },
    origin: EventContext,
    title: string,
    draft: Flow | Uint8Array,
    refuseTaken: boolean,
  ) {
    const row = await db.transaction().execute(async (trx) => {
      if (refuseTaken) refuseTitle(title, await lockFlows(trx, chatbot))
      const [added] = await addFlows(context, trx, documents, chatbot, [{ id: ids(), title, flow: draft }])
      if (added) await appendEvent(trx, flowCreated, origin, about(chatbot.gid, added))
      return added
    })
    if (!row) throw new ApiError('internal')
    await announceChatbot({ db }, documents, chatbot)
    return { flow: await present(row) }
  }

  registerRoute(app, context, listFlows, async ({ params, caller }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const rows = await flowsOf(caller.db, caller.project.id, chatbot.id)
    return { flows: await presentAll(rows) }
  })

  registerRoute(app, context, createFlow, async ({ params, body, caller, origin }) => {
    const { id, gid } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    return add(caller.db, { id, gid, projectId: caller.project.id }, origin, body.title, firstFlow(registry, ids), true)
  })

  registerRoute(app, context, duplicateFlow, async ({ params, caller, origin }) => {
    const flow = await findFlow(caller, caller.project.id, params)
    const chatbot = { id: flow.chatbot_id, gid: params.cgid, projectId: flow.project_id }
    const copy = await drafts.work(flow.project_id, 'copy', { drafts: [await stored(flow)] })
    return add(caller.db, chatbot, origin, copyName(flow.title), copy.main, false)
  })

  registerRoute(app, context, renameFlow, async ({ params, body, caller, origin }) => {
    const flow = await findFlow(caller, caller.project.id, params)
    await caller.db.transaction().execute(async (trx) => {
      const rows = await lockFlows(trx, { id: flow.chatbot_id, projectId: flow.project_id })
      refuseTitle(
        body.title,
        rows.filter(({ id }) => id !== flow.id),
      )
      await trx.updateTable('flows').set({ title: body.title }).where('id', '=', flow.id).execute()
      await appendEvent(trx, flowRenamed, origin, about(params.cgid, { ...flow, title: body.title }))
    })
    await announceChatbot(caller, documents, { id: flow.chatbot_id, projectId: flow.project_id })
    return { flow: await present({ ...flow, title: body.title }) }
  })

  registerRoute(app, context, deleteFlow, async ({ params, body, caller, origin }) => {
    const flow = await findFlow(caller, caller.project.id, params)
    if (flow.is_main)
      throw new ApiError('conflict', { message: 'The main flow can’t be deleted: conversations start there.' })
    if (!body.confirmed) {
      const others = (await flowsOf(caller.db, flow.project_id, flow.chatbot_id)).filter(({ id }) => id !== flow.id)
      const entering = await Promise.all(
        others.map(async (row) => ((await enteredFrom(row)).includes(flow.gid) ? [row.title] : [])),
      )
      const names = entering.flat().map((title) => `“${title}”`)
      if (names.length > 0) {
        throw new ApiError('conflict', { message: `This flow is run by ${names.join(', ')}.` })
      }
    }
    await caller.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('flows').where('id', '=', flow.id).execute()
      await appendEvent(trx, flowDeleted, origin, about(params.cgid, flow))
    })
    documents.rightsChangedIn(flow.project_id)
    await announceChatbot(caller, documents, { id: flow.chatbot_id, projectId: flow.project_id })
    return {}
  })
}

/** How events identify a flow. */
const about = (chatbot: string, { gid, title }: Pick<FlowRow, 'gid' | 'title'>) => ({ chatbot, flow: gid, title })

function refuseTitle(title: string, rows: readonly FlowRow[]): void {
  if (isTaken(title, rows)) throw fieldError('title', 'Another flow of this chatbot has this name')
}
