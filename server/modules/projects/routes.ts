import type { FastifyInstance } from 'fastify'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import type { ProjectCaller } from '../../access/access'
import { allowedAddressesProblem } from '../../access/allowedAddresses'
import { chatbotsOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { Role } from '../../access/roles'
import {
  createProject,
  deleteProject,
  duplicateProject,
  listProjects,
  readAllowedAddresses,
  readNetworks,
  renameProject,
  updateAllowedAddresses,
  updateNetworks,
} from '../../contracts/projects'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { networksProblem } from '../../platform/outbound/projectNetworks'
import { allowedAddressesChanged, networksChanged, projectDeleted, projectRenamed } from '../accounts/events'
import { addProject } from '../accounts/projects/addProject'
import { membershipsOf } from '../accounts/projects/memberships'
import { presentListed, presentProject } from '../accounts/projects/presenter'
import { type AddedChatbot, addChatbot, copyName } from '../chatbots/addChatbot'
import { answeringFlow } from '../chatbots/answeringFlow'
import { beginProjectDeletion } from '../chatbots/deletion'
import { makeVersion1 } from '../chatbots/makeVersion1'
import { addressesOf, copyFiles, planCopies } from '../conversations/files/copyFiles'
import type { Documents } from '../flows/collab/documents'
import type { Seeds } from '../flows/drafts/draftTasks'
import { readChatbotDrafts } from '../flows/flows/chatbotFlows'
import { storedState } from '../subscriptions/storedState'
import { isLive } from '../subscriptions/subscriptionState'
import { copyContents } from './copyContents'

export function registerProjects(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { db } = context
  const { drafts } = documents

  async function present(userId: string, projectId: string) {
    const project = (await membershipsOf(db, userId)).find(({ id }) => id === projectId)
    if (!project) throw new ApiError('not_found')
    return { project: presentProject(project) }
  }

  registerRoute(app, context, listProjects, async ({ caller }) => ({
    projects: (await membershipsOf(db, caller.user.id)).map(presentListed),
  }))

  registerRoute(app, context, createProject, async ({ caller, body, request }) => {
    const { id } = await db
      .transaction()
      .execute((trx) => addProject(context, trx, caller.user.id, body.name, request.id))
    return present(caller.user.id, id)
  })

  registerRoute(app, context, renameProject, async ({ caller, body, origin }) => {
    await caller.db.transaction().execute(async (trx) => {
      await trx.updateTable('projects').set({ name: body.name, updated_at: context.clock() }).execute()
      await appendEvent(trx, projectRenamed, origin, { name: body.name })
    })
    return present(caller.user.id, caller.project.id)
  })

  registerRoute(app, context, readNetworks, ({ caller }) => presentNetworks(caller))

  registerRoute(app, context, updateNetworks, async ({ caller, body: { networks }, origin }) => {
    const { project, roles, user } = caller
    if (!roles.includes(Role.OWNER) || !context.config.projectNetworks) throw new ApiError('forbidden')
    const problem = networksProblem(networks)
    if (problem) throw fieldError('networks', problem)
    await caller.db.transaction().execute(async (trx) => {
      await trx.updateTable('projects').set({ private_networks: networks }).execute()
      await appendEvent(trx, networksChanged, origin, { networks })
    })
    // logged for investigating incidents
    context.log.warn(
      { project: project.gid, user: user.gid, networks },
      'the private networks of a project were changed',
    )
    return presentNetworks(caller)
  })

  async function presentNetworks({ db }: ProjectCaller) {
    const { private_networks: networks } = await db
      .selectFrom('projects')
      .select('private_networks')
      .executeTakeFirstOrThrow()
    return { networks, allowed: context.config.projectNetworks }
  }

  registerRoute(app, context, readAllowedAddresses, ({ caller, request }) => presentAddresses(caller, request.ip))

  registerRoute(app, context, updateAllowedAddresses, async ({ caller, body: { addresses }, origin, request }) => {
    if (!caller.roles.includes(Role.OWNER)) throw new ApiError('forbidden')
    const problem = allowedAddressesProblem(addresses, request.ip)
    if (problem) throw fieldError('addresses', problem)
    await caller.db.transaction().execute(async (trx) => {
      await trx.updateTable('projects').set({ allowed_addresses: addresses }).execute()
      await appendEvent(trx, allowedAddressesChanged, origin, { addresses })
    })
    // open builders of members elsewhere close
    documents.rightsChangedIn(caller.project.id)
    return presentAddresses(caller, request.ip)
  })

  async function presentAddresses({ db }: ProjectCaller, own: string) {
    const { allowed_addresses: addresses } = await db
      .selectFrom('projects')
      .select('allowed_addresses')
      .executeTakeFirstOrThrow()
    return { addresses, own }
  }

  registerRoute(app, context, deleteProject, async ({ caller, body, origin }) => {
    if (body.name.trim() !== caller.project.name) throw fieldError('name', "Type the project's name to delete it")
    const subscription = context.config.stripe ? await storedState(caller.db) : null
    // it would be charged on, and nobody could cancel it here any more
    if (isLive(subscription) && subscription.cancel_at === null) throw new ApiError('project_subscribed')
    await db.transaction().execute(async (trx) => {
      // two concurrent deletions would each see the other's project
      await trx.selectFrom('users').select('id').where('id', '=', caller.user.id).forUpdate().executeTakeFirstOrThrow()
      if ((await membershipsOf(trx, caller.user.id)).length < 2) {
        throw new ApiError('conflict', { message: "Your last project can't be deleted." })
      }
      await appendEvent(trx, projectDeleted, origin, { name: caller.project.name })
      await beginProjectDeletion(context, trx, caller.project.id, origin)
    })
    context.jobs.wake()
    documents.rightsChangedIn(caller.project.id)
    return {}
  })

  registerRoute(app, context, duplicateProject, async ({ caller, origin }) => {
    const { user, project } = caller
    // before the transaction: reading drafts may need further database connections
    const copies = await planCopies({ ...context, db: caller.db }, project.id)
    const addresses = addressesOf(copies)
    const chatbots: { id: string; name: string; flows: Seeds | ChatbotFlows; version1?: ChatbotFlows }[] = []
    for (const { id, name, version } of await chatbotsOf(caller.db, project.id)) {
      if (version === 1) {
        const version1 = { main: answeringFlow(context.registry, context.ids), others: [] }
        chatbots.push({ id, name, flows: version1, version1 })
        continue
      }
      const { drafts: stored } = await readChatbotDrafts(caller, documents, project.id, id)
      chatbots.push({ id, name, flows: await drafts.work(project.id, 'copy', { drafts: stored, addresses }) })
    }
    const copy = await db.transaction().execute(async (trx) => {
      const added = await addProject(context, trx, user.id, copyName(project.name), origin.correlation)
      await copyFiles(trx, context.files, copies, added.id)
      const copied = new Map<string, string>()
      const first: { place: AddedChatbot; flow: ChatbotFlows }[] = []
      for (const { id, name, flows, version1 } of chatbots) {
        const place = await addChatbot(context, trx, added, { name, flows, origin }, documents)
        copied.set(id, place.id)
        if (version1) first.push({ place, flow: version1 })
      }
      await copyContents(context, trx, project.id, added.id, copied, context.files)
      const ofCopy = { ...origin, projectId: added.id }
      for (const one of first) await makeVersion1(trx, context, { ...one, userId: user.id, origin: ofCopy })
      return added
    })
    context.jobs.wake()
    return present(user.id, copy.id)
  })
}
