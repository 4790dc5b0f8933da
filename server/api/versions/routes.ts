import type { FastifyInstance } from 'fastify'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { createDrafts } from '../../drafts/createDrafts'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { chatbotOf } from '../chatbots/rows'
import { announceChatbot } from '../flows/announce'
import {
  addFlows,
  type FlowRow,
  flowsOf,
  lockFlows,
  readChatbotDrafts,
  readChatbotFlows,
  soundFlows,
} from '../flows/chatbotFlows'
import { registerRoute } from '../register'
import {
  checkDraft,
  type FrozenFlow,
  listVersions,
  publishVersion,
  readVersion,
  renameVersion,
  restoreVersion,
  VERSIONS_PER_PAGE,
} from './contract'
import { frozen, keepDraft, setPublished } from './freeze'
import { presentVersion } from './presenter'
import { refuseErrors } from './publishCheck'
import { atPresentKinds, flowsOfVersion, versionOf, versionsOf } from './readFlows'

/** The versions of a chatbot: what visitors got, and drafts that were kept. All of them hold all its flows. */
export function registerVersions(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { db, registry } = context
  const drafts = createDrafts(context)
  const secrets = createProjectSecrets(context)

  const draftsOf = (projectId: string, chatbotId: string) => readChatbotFlows(context, documents, projectId, chatbotId)
  async function find(projectId: string, cgid: string) {
    const { id, flow_id, fid, published_number } = await chatbotOf(db, projectId, cgid)
    return { place: { id: flow_id, gid: fid, project_id: projectId }, chatbot: { id, projectId }, published_number }
  }

  registerRoute(app, context, listVersions, async ({ params, query: { before }, caller }) => {
    const { place, published_number } = await find(caller.project.id, params.cgid)
    const rows = await versionsOf(context, place, { before, limit: VERSIONS_PER_PAGE + 1 })
    return {
      versions: rows.slice(0, VERSIONS_PER_PAGE).map(presentVersion),
      more: rows.length > VERSIONS_PER_PAGE,
      published: published_number,
    }
  })

  registerRoute(app, context, readVersion, async ({ params, caller }) => {
    const { place, chatbot } = await find(caller.project.id, params.cgid)
    if (params.version === 'draft') {
      const present = await draftsOf(chatbot.projectId, chatbot.id)
      return { flows: listed(inPresentForm(present), present.place) }
    }
    const row = await versionOf(context, place, params.version)
    const present = await flowsOf(db, chatbot.projectId, chatbot.id)
    const title = row.titles[place.gid] ?? present[0]?.title ?? ''
    return { flows: listed(flowsOfVersion(row, present, registry), { gid: place.gid, title }) }
  })

  /** as flows are frozen: the same draft then is the same version */
  const inPresentForm = ({ main, others }: ChatbotFlows): ChatbotFlows => ({
    main: atPresentKinds(main, registry),
    others: others.map(({ flow, ...other }) => ({ ...other, flow: atPresentKinds(flow, registry) })),
  })

  registerRoute(app, context, renameVersion, async ({ params, body, caller }) => {
    const { place } = await find(caller.project.id, params.cgid)
    const { id } = await versionOf(context, place, params.version)
    if (body.name !== undefined || body.notes !== undefined) {
      await db
        .updateTable('flow_versions')
        .set({
          ...(body.name !== undefined && { name: body.name || null }),
          ...(body.notes !== undefined && { notes: body.notes }),
        })
        .where('id', '=', id)
        .where('project_id', '=', place.project_id)
        .execute()
    }
    return { version: presentVersion(await versionOf(context, place, params.version)) }
  })

  registerRoute(app, context, restoreVersion, async ({ params, body, caller }) => {
    const { place, chatbot } = await find(caller.project.id, params.cgid)
    const row = await versionOf(context, place, params.version)
    // reading drafts may want connections of its own: before the transaction
    const present = await draftsOf(chatbot.projectId, chatbot.id)
    const flows = flowsOfVersion(row, await flowsOf(db, chatbot.projectId, chatbot.id), registry)
    const { kept, rows: there } = await db.transaction().execute(async (trx) => {
      const rows = await lockFlows(trx, chatbot)
      const known = new Set(rows.map(({ gid }) => gid))
      const gone = flows.others.filter(({ id }) => !known.has(id))
      const before = await keepDraft(trx, context, present.place, frozen(inPresentForm(present)), {
        name: `Before restoring version ${params.version}`,
        userId: caller.user.id,
      })
      await addFlows(context, trx, documents, chatbot, gone)
      return { kept: before, rows }
    })
    const wanted = new Map([[place.gid, flows.main], ...flows.others.map(({ id, flow }) => [id, flow] as const)])
    for (const { id, gid, project_id } of there) {
      const flow = wanted.get(gid)
      if (flow && gid !== body.open) await documents.writeFlow(project_id, id, flow, caller.user.id)
    }
    await announceChatbot(context, documents, chatbot)
    return {
      kept: kept && presentVersion({ ...kept, ...caller.user }),
      flow: (body.open !== undefined && wanted.get(body.open)) || null,
    }
  })

  registerRoute(app, context, publishVersion, async ({ params, caller }) => {
    const { place, chatbot } = await find(caller.project.id, params.cgid)
    const row = await versionOf(context, place, params.version)
    // what visitors had once they may have again, whatever the checker has learned since
    if (row.first_published_at === null) {
      const flows = soundFlows({ main: row.flow, others: flowsOfVersion(row, [], registry).others }, registry)
      refuseErrors(flows, registry, await secrets.presentIn(caller.project.id))
    }
    await setPublished(db, context, place, { versionId: row.id, userId: caller.user.id })
    await announceChatbot(context, documents, chatbot)
    return { version: presentVersion(await versionOf(context, place, params.version)) }
  })

  registerRoute(app, context, checkDraft, async ({ params, caller }) => {
    const { chatbot } = await find(caller.project.id, params.cgid)
    const { drafts: stored } = await readChatbotDrafts(context, documents, chatbot.projectId, chatbot.id)
    return drafts.work(chatbot.projectId, 'check', {
      drafts: stored,
      secrets: await secrets.namesOf(chatbot.projectId),
    })
  })
}

const listed = ({ main, others }: ChatbotFlows, { gid, title }: Pick<FlowRow, 'gid' | 'title'>): FrozenFlow[] => [
  { gid, title, is_main: true, flow: main },
  ...others.map((other) => ({ gid: other.id, title: other.title, is_main: false, flow: other.flow })),
]
