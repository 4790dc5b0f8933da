import type { FastifyInstance } from 'fastify'
import { type ExpressionBuilder, sql } from 'kysely'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/inboxViews'
import type { ServerContext } from '../../platform/context'
import type { Db, ProjectWork } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { ApiError, fieldError, isUniqueViolation } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { sharedViewChanged } from './events'
import type { Inbox } from './list'
import { nameOf } from './presenter'

type SharedWith = contract.KeptView['shared_with']

/** Condition: views that a member sees: their own, everybody's, and those of their teams. */
const isSeenBy =
  ({ projectId, userId }: Inbox) =>
  (eb: ExpressionBuilder<Database, 'inbox_views'>) =>
    eb.and([
      eb('inbox_views.project_id', '=', projectId),
      eb.or([
        eb('inbox_views.user_id', '=', userId),
        eb('inbox_views.shared', '=', 'everybody'),
        eb.exists(
          eb
            .selectFrom('team_members')
            .select('team_members.team_id')
            .whereRef('team_members.team_id', '=', 'inbox_views.team_id')
            .whereRef('team_members.project_id', '=', 'inbox_views.project_id')
            .where('team_members.user_id', '=', userId),
        ),
      ]),
    ])

/** The views that a member sees by a name, in the order of these. */
export async function keptViewsOf(db: Db, inbox: Inbox): Promise<contract.KeptView[]> {
  const rows = await db
    .selectFrom('inbox_views')
    .leftJoin('teams', 'teams.id', 'inbox_views.team_id')
    .leftJoin('users', 'users.id', 'inbox_views.user_id')
    .select(['inbox_views.gid', 'inbox_views.name', 'view', 'filters', 'inbox_views.shared', 'user_id'])
    .select('teams.gid as team')
    .select(['first_name', 'last_name'])
    .where(isSeenBy(inbox))
    .orderBy(sql`lower(inbox_views.name)`)
    .orderBy('inbox_views.id')
    .execute()
  return rows.map(({ gid, name, view, filters, shared, team, user_id, first_name, last_name }) => ({
    ...{ gid, name, view, filters },
    shared_with: shared === 'everybody' ? shared : team,
    own: user_id === inbox.userId,
    by: first_name === null ? null : nameOf(first_name, last_name),
  }))
}

/** Routes of the views that members keep, for themselves, for a team or for everybody. */
export function registerKeptViews(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context

  registerRoute(app, context, contract.listKeptViews, async ({ caller: { db, project, user } }) => ({
    views: await keptViewsOf(db, { projectId: project.id, userId: user.id }),
  }))

  registerRoute(app, context, contract.keepView, async ({ caller: { db, project, user }, body, origin }) => {
    const inbox = { projectId: project.id, userId: user.id }
    const gid = await db.transaction().execute(async (work) => {
      const { name, view, filters } = body
      const own = { project_id: project.id, user_id: user.id }
      const kept = { name, view, filters: JSON.stringify(filters), ...(await audienceOf(work, body.shared_with)) }
      const before = await work
        .selectFrom('inbox_views')
        .select('shared')
        .where('project_id', '=', project.id)
        .where('user_id', '=', user.id)
        .where(sql`lower(name)`, '=', sql`lower(${name})`)
        .executeTakeFirst()
      const { gid } = await work
        .insertInto('inbox_views')
        .values({ gid: ids(), ...own, ...kept, created_at: clock() })
        .onConflict((conflict) => conflict.expression(sql`project_id, user_id, lower(name)`).doUpdateSet(kept))
        .returning('gid')
        .executeTakeFirstOrThrow()
      const { count } = await work
        .selectFrom('inbox_views')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('project_id', '=', project.id)
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      // the transaction ends with the error: a view that replaces another one is no more than there were
      if (Number(count) > contract.MOST_KEPT_VIEWS)
        throw new ApiError('conflict', { message: `There can be at most ${contract.MOST_KEPT_VIEWS}.` })
      if (kept.shared || before?.shared) await appendEvent(work, sharedViewChanged, origin, { view: gid })
      return gid
    })
    const view = (await keptViewsOf(db, inbox)).find((one) => one.gid === gid)
    if (!view) throw new ApiError('not_found')
    return { view }
  })

  registerRoute(
    app,
    context,
    contract.changeKeptView,
    async ({ caller: { db, project, user }, params: { gid }, body, origin }) => {
      const change = db.transaction().execute(async (work) => {
        const before = await work
          .selectFrom('inbox_views')
          .select(['id', 'inbox_views.shared'])
          .where(isSeenBy({ projectId: project.id, userId: user.id }))
          .where('gid', '=', gid)
          .forUpdate()
          .executeTakeFirst()
        if (!before) throw new ApiError('not_found')
        const audience = await audienceOf(work, body.shared_with)
        await work
          .updateTable('inbox_views')
          .set({ name: body.name, ...audience })
          // what nobody keeps is kept by whoever has it for themselves
          .$if(audience.shared === null, (one) => one.set({ user_id: sql`coalesce(user_id, ${user.id})` }))
          .where('id', '=', before.id)
          .where('project_id', '=', project.id)
          .execute()
        if (before.shared || audience.shared) await appendEvent(work, sharedViewChanged, origin, { view: gid })
      })
      await change.catch((error: unknown) => {
        throw isUniqueViolation(error) ? fieldError('name', 'There is a view of this name.') : error
      })
      return {}
    },
  )

  registerRoute(app, context, contract.forgetView, async ({ caller: { db, project, user }, params: { gid }, origin }) =>
    db.transaction().execute(async (work) => {
      const forgotten = await work
        .deleteFrom('inbox_views')
        .where(isSeenBy({ projectId: project.id, userId: user.id }))
        .where('gid', '=', gid)
        .returning('shared')
        .executeTakeFirst()
      if (!forgotten) throw new ApiError('not_found')
      if (forgotten.shared) await appendEvent(work, sharedViewChanged, origin, { view: gid })
      return {}
    }),
  )
}

/** @throws ApiError invalid where there is no such team */
async function audienceOf(
  work: ProjectWork,
  sharedWith: SharedWith,
): Promise<{ shared: 'team' | 'everybody' | null; team_id: string | null }> {
  if (sharedWith === null) return { shared: null, team_id: null }
  if (sharedWith === 'everybody') return { shared: 'everybody', team_id: null }
  const team = await work.selectFrom('teams').select('id').where('gid', '=', sharedWith).executeTakeFirst()
  if (!team) throw fieldError('shared_with', 'There is no such team any more.')
  return { shared: 'team', team_id: team.id }
}
