import type { Transaction } from 'kysely'
import { Role } from '../../../access/roles'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { projectCreated } from '../events'

/** Creates a project owned by the user; the user's first one is the default. @param correlation the call's id */
export async function addProject(
  context: ServerContext,
  transaction: Transaction<Database>,
  userId: string,
  name: string,
  correlation: string,
) {
  const now = context.clock()
  const project = await transaction
    .insertInto('projects')
    .values({
      ...{ gid: context.ids(), name, created_at: now, updated_at: now },
      // where projects pay, they begin with what is free
      ...(context.config.stripe && { plan_id: 'free' }),
    })
    .returning(['id', 'gid', 'name', 'plan_id', 'addons'])
    .executeTakeFirstOrThrow()
  const other = await transaction
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .executeTakeFirst()
  await transaction
    .insertInto('project_members')
    .values({ project_id: project.id, user_id: userId, roles: [Role.OWNER], is_default: !other, created_at: now })
    .execute()
  const origin: EventContext = { projectId: project.id, by: { actor: 'user', userId }, correlation, at: now }
  await appendEvent(transaction, projectCreated, origin, { name })
  return project
}
