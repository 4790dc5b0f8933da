import type { FastifyInstance } from 'fastify'
import { type AgentAction, actionCounts } from '../../../../engine/values/agentActions'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { entitlementsOf } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/actions'
import type { ServerContext } from '../../../platform/context'
import type { ProjectWork } from '../../../platform/database/database'
import { ApiError, fieldError, isUniqueViolation } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import type { Models } from '../../models/models'
import { BUILT_IN_MODEL } from '../../models/models'
import { tickChecklist } from '../../onboarding/checklist'
import { actionChanged, actionCreated, actionDeleted, actionsOrdered } from '../events'
import type { AgentActions } from './createAgentActions'
import { createHeaderSecrets } from './headerSecrets'
import { type ActionRow, actionOf, actionRows } from './rows'

/** Routes for the actions of a chatbot's model: storing, ordering, trying them out. */
export function registerActions(
  app: FastifyInstance,
  context: ServerContext,
  actions: AgentActions,
  models: Models,
): void {
  const { clock, ids } = context
  const headers = createHeaderSecrets(context.config)

  const placeOf = async (caller: ProjectCaller, cgid: string): Promise<KnowledgePlace> => ({
    projectId: caller.project.id,
    chatbotId: (await chatbotOf(caller.db, caller.project.id, cgid)).id,
  })
  const find = async ({ db }: ProjectCaller, place: KnowledgePlace, gid: string): Promise<ActionRow> => {
    const row = await actionRows(db, place).where('gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return row
  }
  const own = (work: ProjectWork, place: KnowledgePlace, gid: string) =>
    work.updateTable('agent_actions').where('gid', '=', gid).where('chatbot_id', '=', place.chatbotId)

  registerRoute(app, context, contract.listActions, async ({ caller, params }) => {
    const place = await placeOf(caller, params.cgid)
    const rows = await actionRows(caller.db, place).execute()
    const { features } = entitlementsOf(caller.project)
    return {
      actions: rows.map(present),
      model: await modelOf(caller, place),
      plan: { actions: features.actions, lead_form: features.lead_form },
    }
  })

  registerRoute(app, context, contract.readAction, async ({ caller, params }) =>
    present(await find(caller, await placeOf(caller, params.cgid), params.gid)),
  )

  registerRoute(app, context, contract.createAction, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const action = headers.filled(body, null)
    const at = clock()
    const made = await unlessTaken(() =>
      caller.db.transaction().execute(async (work) => {
        // row lock: concurrent new ones get different positions, and don't exceed the limit together
        await work
          .selectFrom('chatbots')
          .select('id')
          .where('id', '=', place.chatbotId)
          .forUpdate()
          .executeTakeFirstOrThrow()
        const rows = await actionRows(work, place).execute()
        if (rows.length >= actionCounts.actions)
          throw fieldError('name', `A chatbot has at most ${actionCounts.actions} actions: delete one first`)
        const gid = ids()
        const row = await work
          .insertInto('agent_actions')
          .values({
            ...columnsOf(action),
            ...headers.columnsOf(action, { gid, project_id: place.projectId }),
            kind: action.kind,
            gid,
            project_id: place.projectId,
            chatbot_id: place.chatbotId,
            position: (rows.at(-1)?.position ?? 0) + 1,
            created_by: caller.user.id,
            created_at: at,
            updated_at: at,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await appendEvent(work, actionCreated, origin, about(params.cgid, row))
        return present(row)
      }),
    )
    await tickChecklist(caller.db, place.projectId, 'actions')
    return made
  })

  registerRoute(app, context, contract.updateAction, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const row = await find(caller, place, params.gid)
    if (row.kind !== body.action.kind) throw fieldError('action.kind', 'The kind of an action can’t be changed')
    const action = headers.filled(body.action, row, 'action.')
    const was = new Date(body.was)
    if (Number.isNaN(was.getTime())) throw new ApiError('conflict')
    return unlessTaken(
      () =>
        caller.db.transaction().execute(async (work) => {
          const changed = await own(work, place, params.gid)
            .set({
              ...columnsOf(action),
              ...headers.columnsOf(action, row),
              updated_at: laterThan(row.updated_at, clock()),
            })
            .where('updated_at', '=', was)
            .returningAll()
            .executeTakeFirst()
          if (!changed) throw new ApiError('conflict')
          await appendEvent(work, actionChanged, origin, about(params.cgid, changed))
          return present(changed)
        }),
      'action.',
    )
  })

  registerRoute(app, context, contract.enableAction, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const row = await find(caller, place, params.gid)
    if (body.enabled) refuseWithoutPlan(caller, row)
    return caller.db.transaction().execute(async (work) => {
      const changed = await own(work, place, params.gid)
        .set({ enabled: body.enabled, updated_at: laterThan(row.updated_at, clock()) })
        .returningAll()
        .executeTakeFirst()
      if (!changed) throw new ApiError('not_found')
      await appendEvent(work, actionChanged, origin, about(params.cgid, changed))
      return present(changed)
    })
  })

  registerRoute(app, context, contract.deleteAction, async ({ caller, params, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const row = await find(caller, place, params.gid)
    await caller.db.transaction().execute(async (work) => {
      await work.deleteFrom('agent_actions').where('id', '=', row.id).execute()
      await appendEvent(work, actionDeleted, origin, about(params.cgid, row))
    })
    return {}
  })

  registerRoute(app, context, contract.orderActions, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    await caller.db.transaction().execute(async (work) => {
      const rows = await actionRows(work, place).forUpdate().execute()
      const known = new Set(rows.map(({ gid }) => gid))
      const wanted = new Set(body.gids)
      if (wanted.size !== body.gids.length || wanted.size !== known.size || body.gids.some((gid) => !known.has(gid)))
        throw new ApiError('conflict')
      for (const [at, gid] of body.gids.entries())
        await work
          .updateTable('agent_actions')
          .set({ position: at + 1 })
          .where('gid', '=', gid)
          .where('chatbot_id', '=', place.chatbotId)
          .execute()
      await appendEvent(work, actionsOrdered, origin, { chatbot: params.cgid, actions: body.gids })
    })
    return {}
  })

  registerRoute(app, context, contract.testAction, async ({ caller, params, body, reply }) => {
    const place = await placeOf(caller, params.cgid)
    const action = headers.filled(body.action, body.gid ? await find(caller, place, body.gid) : null, 'action.')
    const gone = new AbortController()
    reply.raw.on('close', () => gone.abort())
    const writes = body.carry_out ? 'marked' : 'simulated'
    return actions.test(place, action, body.arguments, { writes, signal: gone.signal })
  })

  /** Which model would use them, and whether it can. */
  async function modelOf(
    { db }: ProjectCaller,
    { projectId, chatbotId }: KnowledgePlace,
  ): Promise<contract.ActionList['model']> {
    const { ai_model_id } = await db
      .selectFrom('chatbots')
      .select('ai_model_id')
      .where('id', '=', chatbotId)
      .executeTakeFirstOrThrow()
    const model = (await models.catalogue(projectId)).find(({ id }) => id === ai_model_id)
    const name = model?.name ?? `${ai_model_id}`
    if (ai_model_id === BUILT_IN_MODEL) return { name, works: 'built-in' }
    if (!model?.available) return { name, works: 'unavailable' }
    return { name, works: model.supports_actions ? 'yes' : 'unable' }
  }
}

/** The payload of events about an action. */
const about = (chatbot: string, { gid, name }: Pick<ActionRow, 'gid' | 'name'>) => ({ chatbot, action: gid, name })

/** Of a route that names an action alone: what it needs is known once it is read. */
function refuseWithoutPlan(caller: ProjectCaller, action: Pick<AgentAction, 'kind'>): void {
  const { features } = entitlementsOf(caller.project)
  if (!contract.planFeatures(action).every((feature) => features[feature])) throw new ApiError('plan_limit')
}

const columnsOf = ({ name, description, frequency, parameters, save_to, enabled }: AgentAction) => ({
  name,
  description,
  frequency,
  parameters: JSON.stringify(parameters),
  save_to,
  enabled,
})

/** A later time, so that two changes within a millisecond are distinguishable. */
const laterThan = (before: Date, now: Date): Date => new Date(Math.max(now.getTime(), before.getTime() + 1))

async function unlessTaken<Value>(write: () => Promise<Value>, path = ''): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw fieldError(`${path}name`, 'There is another action of this name')
    throw error
  }
}

const present = (row: ActionRow): contract.StoredAction => ({
  gid: row.gid,
  action: actionOf(row),
  updated_at: row.updated_at.toISOString(),
})
