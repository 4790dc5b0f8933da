import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { setAway, setOffice } from '../../contracts/inbox'
import type { ServerContext } from '../../platform/context'
import { fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { memberAway, officeChanged } from './events'

/** Routes of when people answer visitors: hours and targets of teams and the project, and who is away. */
export function registerOffice(app: FastifyInstance, context: ServerContext): void {
  const { clock } = context

  registerRoute(app, context, setOffice, async ({ caller: { db, project }, body: { team, office }, origin }) => {
    await db.transaction().execute(async (work) => {
      const values = { office: JSON.stringify(office) }
      if (team === null)
        await work
          .insertInto('inbox_settings')
          .values({ project_id: project.id, ...values, updated_at: clock() })
          .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ ...values, updated_at: clock() }))
          .execute()
      else {
        const changed = await work
          .updateTable('teams')
          .set(values)
          .where('gid', '=', team)
          .where('project_id', '=', project.id)
          .returning('id')
          .executeTakeFirst()
        if (!changed) throw fieldError('team', 'This team is no longer there.')
      }
      await appendEvent(work, officeChanged, origin, { team })
    })
    return {}
  })

  registerRoute(app, context, setAway, async ({ caller: { db, project, user }, body: { away }, origin }) => {
    await db.transaction().execute(async (work) => {
      await work
        .updateTable('project_members')
        .set({ is_away: away })
        .where('project_id', '=', project.id)
        .where('user_id', '=', user.id)
        .execute()
      await appendEvent(work, memberAway, origin, { user: user.id, away })
    })
    return {}
  })
}
