import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { answerAsIs, registerRoute } from '../../../access/register'
import {
  checkDraft,
  listVersions,
  publishVersion,
  readVersion,
  renameVersion,
  restoreVersion,
  VERSIONS_PER_PAGE,
} from '../../../contracts/versions'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import type { Documents } from '../collab/documents'
import type { FlowTexts } from '../drafts/versionTasks'
import { flowPublished, versionChanged, versionRestored } from '../events'
import { announceChatbot } from '../flows/announce'
import { addFlows, type FlowRow, flowsOf, lockFlows, readChatbotDrafts } from '../flows/chatbotFlows'
import { keepDraft, setPublished } from './freeze'
import { presentVersion } from './presenter'
import { storedVersion, titlesOf, type VersionRow, versionOf, versionsOf } from './readFlows'

/** Routes for a chatbot's versions: published ones, and kept drafts. Each contains all flows. */
export function registerVersions(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { drafts } = documents
  const secrets = createProjectSecrets(context)

  const draftsOf = (caller: ProjectCaller, { id, projectId }: ChatbotPlace) =>
    readChatbotDrafts(caller, documents, projectId, id)
  async function find({ db, project }: ProjectCaller, cgid: string) {
    const projectId = project.id
    const { id, flow_id, fid, published_number } = await chatbotOf(db, projectId, cgid)
    return { place: { id: flow_id, gid: fid, project_id: projectId }, chatbot: { id, projectId }, published_number }
  }

  registerRoute(app, context, listVersions, async ({ params, query: { before }, caller }) => {
    const { place, published_number } = await find(caller, params.cgid)
    const rows = await versionsOf(caller, place, { before, limit: VERSIONS_PER_PAGE + 1 })
    return {
      versions: rows.slice(0, VERSIONS_PER_PAGE).map(presentVersion),
      more: rows.length > VERSIONS_PER_PAGE,
      published: published_number,
    }
  })

  /** A version's flows migrated to present kinds, with the titles of that time. */
  async function readFlows(db: ProjectDb, row: VersionRow, chatbot: ChatbotPlace) {
    const titles = titlesOf(row, await flowsOf(db, chatbot.projectId, chatbot.id))
    const version = await storedVersion({ db }, { id: row.id, projectId: chatbot.projectId })
    return { titles, ...(await drafts.work(chatbot.projectId, 'unfreeze', { version, titles })) }
  }

  registerRoute(app, context, readVersion, async ({ params, caller, reply }) => {
    const { place, chatbot } = await find(caller, params.cgid)
    if (params.version === 'draft') {
      const present = await draftsOf(caller, chatbot)
      return answerAsIs(
        reply,
        listed(await drafts.work(chatbot.projectId, 'present', { drafts: present.drafts }), present.place),
      )
    }
    const row = await versionOf(caller, place, params.version)
    const { titles, ...flows } = await readFlows(caller.db, row, chatbot)
    return answerAsIs(reply, listed(flows, { gid: place.gid, title: titles[place.gid] ?? '' }))
  })

  registerRoute(app, context, renameVersion, async ({ params, body, caller, origin }) => {
    const { place } = await find(caller, params.cgid)
    const { id } = await versionOf(caller, place, params.version)
    if (body.name !== undefined || body.notes !== undefined) {
      await caller.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('flow_versions')
          .set({
            ...(body.name !== undefined && { name: body.name || null }),
            ...(body.notes !== undefined && { notes: body.notes }),
          })
          .where('id', '=', id)
          .execute()
        await appendEvent(trx, versionChanged, origin, { chatbot: params.cgid, version: Number(params.version) })
      })
    }
    return { version: presentVersion(await versionOf(caller, place, params.version)) }
  })

  registerRoute(app, context, restoreVersion, async ({ params, body, caller, reply, origin }) => {
    const { place, chatbot } = await find(caller, params.cgid)
    const row = await versionOf(caller, place, params.version)
    // before the transaction: reading drafts may need database connections of its own
    const present = await draftsOf(caller, chatbot)
    const draft = await drafts.work(chatbot.projectId, 'keep', { drafts: present.drafts })
    const flows = await readFlows(caller.db, row, chatbot)
    const { kept, rows: there } = await caller.db.transaction().execute(async (trx) => {
      const rows = await lockFlows(trx, chatbot)
      const known = new Set(rows.map(({ gid }) => gid))
      const before = await keepDraft(trx, context, present.place, draft, {
        name: `Before restoring version ${params.version}`,
        userId: caller.user.id,
      })
      for (const { flow, ...other } of flows.others.filter(({ id }) => !known.has(id))) {
        const seed = await drafts.work(chatbot.projectId, 'seed', { flow })
        await addFlows(context, trx, documents, chatbot, [{ ...other, flow: seed }])
      }
      await appendEvent(trx, versionRestored, origin, { chatbot: params.cgid, version: Number(params.version) })
      return { kept: before, rows }
    })
    const wanted = new Map([[place.gid, flows.main], ...flows.others.map(({ id, flow }) => [id, flow] as const)])
    for (const { id, gid, project_id } of there) {
      const flow = wanted.get(gid)
      if (flow && gid !== body.open) await documents.writeFlow(project_id, id, flow, caller.user.id)
    }
    await announceChatbot(caller, documents, chatbot)
    const version = JSON.stringify(kept && presentVersion({ ...kept, ...caller.user }))
    const open = (body.open !== undefined && wanted.get(body.open)) || 'null'
    return answerAsIs(reply, `{"kept":${version},"flow":${open}}`)
  })

  registerRoute(app, context, publishVersion, async ({ params, caller, origin }) => {
    const { place, chatbot } = await find(caller, params.cgid)
    const row = await versionOf(caller, place, params.version)
    // what was published once may be published again, even if the checker has new rules
    if (row.first_published_at === null) {
      await drafts.work(chatbot.projectId, 'checkVersion', {
        version: await storedVersion(caller, { id: row.id, projectId: chatbot.projectId }),
        titles: row.titles,
        secrets: await secrets.namesOf(chatbot.projectId),
      })
    }
    await caller.db.transaction().execute(async (trx) => {
      await setPublished(trx, context, place, { versionId: row.id, userId: caller.user.id })
      await appendEvent(trx, flowPublished, origin, { chatbot: params.cgid, version: Number(params.version) })
    })
    await announceChatbot(caller, documents, chatbot)
    return { version: presentVersion(await versionOf(caller, place, params.version)) }
  })

  registerRoute(app, context, checkDraft, async ({ params, caller }) => {
    const { chatbot } = await find(caller, params.cgid)
    const { drafts: stored } = await draftsOf(caller, chatbot)
    return drafts.work(chatbot.projectId, 'check', {
      drafts: stored,
      secrets: await secrets.namesOf(chatbot.projectId),
    })
  })
}

interface ChatbotPlace {
  id: string
  projectId: string
}

/** The response of `readVersion`, as text. */
const listed = ({ main, others }: FlowTexts, { gid, title }: Pick<FlowRow, 'gid' | 'title'>): string => {
  const all = [
    { gid, title, is_main: true, flow: main },
    ...others.map(({ id, ...other }) => ({ gid: id, is_main: false, ...other })),
  ]
  const texts = all.map(({ flow, ...about }) => `${JSON.stringify(about).slice(0, -1)},"flow":${flow}}`)
  return `{"flows":[${texts.join(',')}]}`
}
