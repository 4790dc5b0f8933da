import type { FastifyInstance } from 'fastify'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { type Recording, remapRecording } from '../../../engine/run/recordingFormat'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { createDrafts } from '../../drafts/createDrafts'
import type { Seeds } from '../../drafts/draftTasks'
import { fieldError, isUniqueViolation } from '../../errors'
import { createJobs } from '../../jobs/createJobs'
import { copyKnowledge } from '../../knowledge/training/copyKnowledge'
import { takeIn } from '../../secrets/takeIn'
import { readTemplate, type Template } from '../../templates/readTemplates'
import type { ProjectCaller } from '../access'
import { readChatbotDrafts } from '../flows/chatbotFlows'
import { withNewIds, withNotes } from '../flows/readFlowFile'
import { copyGolden } from '../golden/copyGolden'
import { addRecordings } from '../recordings/addRecordings'
import { registerRoute } from '../register'
import { addChatbot, copyName } from './addChatbot'
import { createChatbot, deleteChatbot, duplicateChatbot, listChatbots, readChatbot, updateChatbot } from './contract'
import { copyActions } from './copyActions'
import { copySettings } from './copySettings'
import { beginDeletion } from './deletion'
import { firstFlow } from './firstFlow'
import { presentChatbot } from './presenter'
import { chatbotOf, chatbotsOf, deletingOf } from './rows'

interface NewChatbot {
  name: string
  flows: ChatbotFlows | Seeds
  tests?: readonly Recording[]
  /** whose settings and sources it gets; `lender`: the chatbot whose knowledge base that one uses */
  original?: { projectId: string; chatbotId: string; lender: string | null }
}

export function registerChatbots(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { db } = context
  const drafts = createDrafts(context)

  async function add(
    { project, user }: Pick<ProjectCaller, 'project' | 'user'>,
    { tests = [], original, ...chatbot }: NewChatbot,
  ) {
    const gid = await db.transaction().execute(async (trx) => {
      const added = await addChatbot(context, trx, project, chatbot, documents)
      const place = { project_id: project.id, chatbot_id: added.id }
      if (original) {
        await copySettings(trx, original, { ...original, chatbotId: added.id }, original.lender)
        const sources = await copyKnowledge(context, trx, original, { ...original, chatbotId: added.id })
        await copyGolden(context, trx, original, { ...original, chatbotId: added.id }, sources)
        await copyActions(context, trx, original, { ...original, chatbotId: added.id })
      }
      if (tests.length > 0) await addRecordings(context, trx, place, tests, user.id)
      return added.gid
    })
    if (original) createJobs(context).wake()
    return { chatbot: presentChatbot(await chatbotOf(db, project.id, gid)) }
  }

  registerRoute(app, context, listChatbots, async ({ caller }) => ({
    chatbots: (await chatbotsOf(db, caller.project.id)).map(presentChatbot),
    deleting: await deletingOf(db, caller.project.id),
  }))

  registerRoute(app, context, createChatbot, async ({ caller, body }) => {
    if (body.template !== undefined) {
      const template = await readTemplate(body.template, context.registry)
      if (!template) throw fieldError('template', 'There is no such template')
      return add(caller, { name: body.name, ...ownCopy(template, context) })
    }
    if (body.source === undefined) {
      return add(caller, {
        name: body.name,
        flows: { main: firstFlow(context.registry, context.ids), others: [] },
      })
    }
    const { source } = body
    const { result, seeds, notes } = await takeIn(context, caller.project, caller.user, (present) =>
      drafts.work(caller.project.id, 'readFile', { source, present }),
    )
    return { ...(await add(caller, { name: body.name, flows: seeds })), imported: withNotes(result, notes) }
  })

  registerRoute(app, context, readChatbot, async ({ caller, params }) => ({
    chatbot: presentChatbot(await chatbotOf(db, caller.project.id, params.cgid)),
  }))

  registerRoute(app, context, updateChatbot, async ({ caller, params, body }) => {
    const { id } = await chatbotOf(db, caller.project.id, params.cgid)
    await db
      .updateTable('chatbots')
      .set({ ...body, updated_at: context.clock() })
      .where('project_id', '=', caller.project.id)
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        // the slug is the one unique thing here: the database decides, so that two who want it at once don't both get it
        throw isUniqueViolation(error) ? fieldError('slug', 'This address is already taken') : error
      })
    return { chatbot: presentChatbot(await chatbotOf(db, caller.project.id, params.cgid)) }
  })

  registerRoute(app, context, duplicateChatbot, async ({ caller, params }) => {
    const original = await chatbotOf(db, caller.project.id, params.cgid)
    const { drafts: stored } = await readChatbotDrafts(context, documents, caller.project.id, original.id)
    const flows = await drafts.work(caller.project.id, 'copy', { drafts: stored })
    const { linked_kb_id: lender } = await db
      .selectFrom('chatbots')
      .select('linked_kb_id')
      .where('project_id', '=', caller.project.id)
      .where('id', '=', original.id)
      .executeTakeFirstOrThrow()
    return add(caller, {
      name: copyName(original.name),
      flows,
      original: { projectId: caller.project.id, chatbotId: original.id, lender },
    })
  })

  registerRoute(app, context, deleteChatbot, async ({ caller, params, body }) => {
    const { id, name } = await chatbotOf(db, caller.project.id, params.cgid)
    if (body.name.trim() !== name) throw fieldError('name', "Type the chatbot's name to delete it")
    await db.transaction().execute((trx) => beginDeletion(context, trx, caller.project.id, [id]))
    createJobs(context).wake()
    documents.rightsChangedIn(caller.project.id)
    return {}
  })
}

/** A template's flows under ids of their own, and its tests with them. */
function ownCopy({ flows, tests }: Template, context: ServerContext): { flows: ChatbotFlows; tests: Recording[] } {
  const own = withNewIds(flows, context)
  const newIds = new Map(flows.others.map(({ id }, index) => [id, own.others[index]?.id ?? id]))
  return { flows: own, tests: tests.map((test) => remapRecording(test, (id) => newIds.get(id) ?? id)) }
}
