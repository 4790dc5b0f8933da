import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import { type Counted, overOf, type Places, placesOf, placesUnder } from '../../../access/overLimit'
import { planOf } from '../../../access/plans'
import { presentReadOnly, seenBy } from '../../../access/readOnlyPlaces'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/limits'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { stayChosen } from '../../billing/events'
import type { Hosts } from '../../domains/hosts'
import { plannedOf } from '../../subscriptions/plannedLess'
import { storedState } from '../../subscriptions/storedState'

/** Routes for what counts towards the plan's limits, and for what of it stays when the plan shrinks. */
export function registerLimits(app: FastifyInstance, context: ServerContext, hosts: Hosts): void {
  const { config } = context

  async function view({ db, project, roles }: ProjectCaller): Promise<contract.LimitsView> {
    const all = seenBy(roles, await placesOf(db, project.id, project))
    const planned = config.stripe ? plannedOf(await storedState(db)) : null
    const later = planned && presentReadOnly(placesUnder(all, planned))
    return {
      plan: planOf(project.plan_id).name,
      limits: all.map(presentPlaces),
      planned: planned && later?.length ? { plan: planOf(planned.plan_id).name, at: planned.at, over: later } : null,
    }
  }

  registerRoute(app, context, contract.readLimits, ({ caller }) => view(caller))

  registerRoute(app, context, contract.chooseStay, async ({ caller, body: { limit, chosen }, origin }) => {
    const { db, project } = caller
    const hostnames = await db.transaction().execute(async (work) => {
      const places = (await placesOf(work, project.id, project)).find((each) => each.limit === limit)?.places ?? []
      if (chosen.some((gid) => !places.some((place) => place.gid === gid))) throw new ApiError('not_found')
      await choose[limit](work, project.id, chosen)
      await appendEvent(work, stayChosen, origin, { limit, chosen })
      return limit === 'custom_domains' ? places.map(({ name }) => name) : []
    })
    for (const hostname of hostnames) hosts.forget(hostname)
    return view(caller)
  })
}

/** Marks what is chosen, and nothing else. */
const choose: Record<Counted, (work: Db, projectId: string, chosen: readonly string[]) => Promise<unknown>> = {
  chatbots: (work, projectId, chosen) =>
    work
      .updateTable('chatbots')
      .set({ chosen_to_stay: sql<boolean>`gid = any(${chosen}::text[])` })
      .where('project_id', '=', projectId)
      .execute(),
  seats: (work, projectId, chosen) =>
    work
      .updateTable('project_members')
      .set({ chosen_to_stay: sql<boolean>`user_id in (select id from users where gid = any(${chosen}::text[]))` })
      .where('project_id', '=', projectId)
      .execute(),
  custom_domains: (work, projectId, chosen) =>
    work
      .updateTable('custom_domains')
      .set({ chosen_to_stay: sql<boolean>`gid = any(${chosen}::text[])` })
      .where('project_id', '=', projectId)
      .execute(),
}

function presentPlaces({ limit, max, places }: Places): contract.PlacesView {
  const over = new Set(overOf({ max, places }))
  return {
    ...{ limit, max },
    places: places.map((place) => ({ ...place, over: over.has(place) })),
  }
}
