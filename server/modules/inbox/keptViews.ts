import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/inboxViews'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'

/** Routes of the views that a member keeps for themselves. Nobody else sees or changes them. */
export function registerKeptViews(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context

  registerRoute(app, context, contract.listKeptViews, async ({ caller: { db, project, user } }) => ({
    views: await db
      .selectFrom('inbox_views')
      .select(['gid', 'name', 'view', 'filters'])
      .where('project_id', '=', project.id)
      .where('user_id', '=', user.id)
      .orderBy(sql`lower(name)`)
      .execute(),
  }))

  registerRoute(
    app,
    context,
    contract.keepView,
    async ({ caller: { db, project, user }, body: { name, view, filters } }) =>
      db.transaction().execute(async (work) => {
        const own = { project_id: project.id, user_id: user.id }
        const kept = { name, view, filters: JSON.stringify(filters) }
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
        return { view: { gid, name, view, filters } }
      }),
  )

  registerRoute(app, context, contract.forgetView, async ({ caller: { db, project, user }, params: { gid } }) => {
    const forgotten = await db
      .deleteFrom('inbox_views')
      .where('project_id', '=', project.id)
      .where('user_id', '=', user.id)
      .where('gid', '=', gid)
      .returning('id')
      .executeTakeFirst()
    if (!forgotten) throw new ApiError('not_found')
    return {}
  })
}
