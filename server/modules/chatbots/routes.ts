import type { FastifyInstance } from 'fastify'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { type Recording, remapRecording } from '../../../engine/run/recordingFormat'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf, chatbotsOf, deletingOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { isAllowed } from '../../access/roles'
import {
  COUNTED_DAYS,
  chatbotTypes,
  createChatbot,
  deleteChatbot,
  duplicateChatbot,
  listChatbots,
  readChatbot,
  tickSetupStep,
  updateChatbot,
  upgradeChatbot,
} from '../../contracts/chatbots'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError, isUniqueViolation } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { copyEvaluations } from '../agents/evaluations/copyEvaluations'
import type { Documents } from '../flows/collab/documents'
import type { Seeds } from '../flows/drafts/draftTasks'
import { readChatbotDrafts } from '../flows/flows/chatbotFlows'
import { firstFlow } from '../flows/flows/firstFlow'
import { withNewIds, withNotes } from '../flows/flows/readFlowFile'
import { onlyConnections } from '../integrations/connections/onlyConnections'
import { copyKnowledge } from '../knowledge/training/copyKnowledge'
import { takeIn } from '../secrets/takeIn'
import { vendorsIn, withOwnConnections } from '../templates/ownConnections'
import { readTemplate, type Template } from '../templates/readTemplates'
import { addRecordings } from '../testing/recordings/addRecordings'
import { addChatbot, copyName } from './addChatbot'
import { answeringFlow } from './answeringFlow'
import { copyActions } from './copyActions'
import { copySettings } from './copySettings'
import { beginDeletion } from './deletion'
import { chatbotChanged } from './events'
import { makeVersion1 } from './makeVersion1'
import { presentChatbot, presentListed } from './presenter'
import { setSteps, stepsForUpdate } from './setupSteps'

const DAY = 24 * 60 * 60 * 1000

interface NewChatbot {
  name: string
  platform?: number | undefined
  flows: ChatbotFlows | Seeds
  tests?: readonly Recording[]
  /** steps left to fill in */
  setup?: readonly string[]
  /** whose settings and data sources it gets; `lender`: the chatbot whose knowledge base the original uses */
  original?: { gid: string; projectId: string; chatbotId: string; lender: string | null }
  template?: string
  /** of one of version 1: what is published of it at once */
  version1?: ChatbotFlows
}

export function registerChatbots(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { drafts } = documents

  async function add(
    { caller: { db, project, user }, origin }: { caller: ProjectCaller; origin: EventContext },
    { tests = [], setup = [], original, version1, ...chatbot }: NewChatbot,
  ) {
    const gid = await db.transaction().execute(async (trx) => {
      const added = await addChatbot(
        context,
        trx,
        project,
        { ...chatbot, by: user.id, origin, copyOf: original?.gid },
        documents,
      )
      const place = { project_id: project.id, chatbot_id: added.id }
      if (original) {
        await copySettings(trx, original, { ...original, chatbotId: added.id }, original.lender)
        const sources = await copyKnowledge(context, trx, original, { ...original, chatbotId: added.id })
        await copyEvaluations(context, trx, original, { ...original, chatbotId: added.id }, sources)
        await copyActions(context, trx, original, { ...original, chatbotId: added.id })
      }
      if (version1) await makeVersion1(trx, context, { place: added, flow: version1, userId: user.id, origin })
      if (setup.length > 0)
        await setSteps(
          trx,
          place,
          setup.map((text) => ({ text, done: false })),
        )
      if (tests.length > 0) await addRecordings(context, trx, place, tests, user.id)
      return added.gid
    })
    if (original) context.jobs.wake()
    return { chatbot: presentChatbot(await chatbotOf(db, project.id, gid)) }
  }

  registerRoute(app, context, listChatbots, async ({ caller: { db, project, roles } }) => {
    const seesNumbers = isAllowed(roles, 'analytics.view')
    const since = new Date(context.clock().getTime() - COUNTED_DAYS * DAY)
    const rows = await chatbotsOf(db, project.id, seesNumbers ? { since } : null)
    return {
      chatbots: rows.map((row) => presentListed(row, seesNumbers)),
      deleting: await deletingOf(db, project.id),
    }
  })

  registerRoute(app, context, createChatbot, async ({ caller, body, origin }) => {
    const named = { name: body.name, platform: body.platform_id }
    if (body.template !== undefined) {
      const template = await readTemplate(body.template, context.registry)
      if (!template) throw fieldError('template', 'There is no such template')
      const own = await onlyConnections(caller.db, caller.project.id)
      return add({ caller, origin }, { ...named, template: body.template, ...ownCopy(template, context, own) })
    }
    if (body.type === chatbotTypes.chatbot) {
      const flows = { main: answeringFlow(context.registry, context.ids), others: [] }
      return add({ caller, origin }, { ...named, flows, version1: flows })
    }
    if (body.source === undefined) {
      const flows = { main: firstFlow(context.registry, context.ids), others: [] }
      return add({ caller, origin }, { ...named, flows })
    }
    const { source } = body
    const { result, seeds, notes } = await takeIn(context, origin, (present) =>
      drafts.work(caller.project.id, 'readFile', { source, present }),
    )
    return { ...(await add({ caller, origin }, { ...named, flows: seeds })), imported: withNotes(result, notes) }
  })

  registerRoute(app, context, readChatbot, async ({ caller, params }) => ({
    chatbot: presentChatbot(await chatbotOf(caller.db, caller.project.id, params.cgid)),
  }))

  registerRoute(app, context, updateChatbot, async ({ caller, params, body, origin }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    await caller.db
      .transaction()
      .execute(async (trx) => {
        const { name } = await trx
          .updateTable('chatbots')
          .set({ ...body, updated_at: context.clock() })
          .where('project_id', '=', caller.project.id)
          .where('id', '=', id)
          .returning('name')
          .executeTakeFirstOrThrow()
        await appendEvent(trx, chatbotChanged, origin, { chatbot: params.cgid, name, fields: Object.keys(body) })
      })
      .catch((error: unknown) => {
        // the slug must be unique: the database checks it, so that of two concurrent requests only one succeeds
        throw isUniqueViolation(error) ? fieldError('slug', 'This address is already taken') : error
      })
    return { chatbot: presentChatbot(await chatbotOf(caller.db, caller.project.id, params.cgid)) }
  })

  registerRoute(app, context, upgradeChatbot, async ({ caller, params, origin }) => {
    const projectId = caller.project.id
    const { id, name } = await chatbotOf(caller.db, projectId, params.cgid)
    await caller.db.transaction().execute(async (trx) => {
      const upgraded = await trx
        .updateTable('chatbots')
        .set({ type: chatbotTypes.agent, version: 2, updated_at: context.clock() })
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where('version', '=', 1)
        .returning('id')
        .executeTakeFirst()
      if (!upgraded) return
      await appendEvent(trx, chatbotChanged, origin, { chatbot: params.cgid, name, fields: ['type', 'version'] })
    })
    return { chatbot: presentChatbot(await chatbotOf(caller.db, projectId, params.cgid)) }
  })

  registerRoute(app, context, tickSetupStep, async ({ caller, params, body: { step, done } }) => {
    const projectId = caller.project.id
    await caller.db.transaction().execute(async (trx) => {
      const { id } = await chatbotOf(trx, projectId, params.cgid)
      const place = { project_id: projectId, chatbot_id: id }
      const steps = await stepsForUpdate(trx, place)
      if (!steps[step]) throw new ApiError('not_found')
      await setSteps(
        trx,
        place,
        steps.map((each, at) => (at === step ? { ...each, done } : each)),
      )
    })
    return { chatbot: presentChatbot(await chatbotOf(caller.db, projectId, params.cgid)) }
  })

  registerRoute(app, context, duplicateChatbot, async ({ caller, params, origin }) => {
    const original = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const version1 =
      original.version === 1 ? { main: answeringFlow(context.registry, context.ids), others: [] } : undefined
    const { drafts: stored } = await readChatbotDrafts(caller, documents, caller.project.id, original.id)
    const flows = version1 ?? (await drafts.work(caller.project.id, 'copy', { drafts: stored }))
    const { linked_kb_id: lender } = await caller.db
      .selectFrom('chatbots')
      .select('linked_kb_id')
      .where('project_id', '=', caller.project.id)
      .where('id', '=', original.id)
      .executeTakeFirstOrThrow()
    return add(
      { caller, origin },
      {
        name: copyName(original.name),
        flows,
        ...(version1 && { version1 }),
        original: { gid: original.gid, projectId: caller.project.id, chatbotId: original.id, lender },
      },
    )
  })

  registerRoute(app, context, deleteChatbot, async ({ caller, params, body, origin }) => {
    const { id, name } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    if (body.name.trim() !== name) throw fieldError('name', "Type the chatbot's name to delete it")
    // of all projects, since users' preferences refer to chatbots
    await context.db.transaction().execute((trx) => beginDeletion(context, trx, caller.project.id, [id], origin))
    context.jobs.wake()
    documents.rightsChangedIn(caller.project.id)
    return {}
  })
}

/** A template's flows with new ids, its tests, and the steps left to fill in. */
function ownCopy(
  { about, flows, tests }: Template,
  context: ServerContext,
  connections: Parameters<typeof withOwnConnections>[1],
): Omit<NewChatbot, 'name'> {
  const own = withNewIds(withOwnConnections(flows, connections), context)
  const newIds = new Map(flows.others.map(({ id }, index) => [id, own.others[index]?.id ?? id]))
  return {
    flows: own,
    setup: about.setup,
    // what a test kept is a call of the template's account, which this chatbot never makes
    tests: (vendorsIn(flows).size > 0 ? [] : tests).map((test) => remapRecording(test, (id) => newIds.get(id) ?? id)),
  }
}
