import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerRoute } from '../../access/register'
import { deleteConversation, type Housekeeping, readStorage, saveHousekeeping } from '../../contracts/housekeeping'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { deleteConversations } from '../privacy/deleteConversations'
import { conversationDeleted, housekeepingChanged } from './events'
import { readSizes } from './readSizes'

const never: Housekeeping = {
  tests_after_days: null,
  steps_after_days: null,
  mails_after_days: null,
  versions_kept: null,
}

/** Routes for what a project keeps, when it is deleted, and for deleting one conversation. */
export function registerHousekeeping(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readStorage, async ({ caller: { db, project } }) => ({
    kept: await readSizes(db, project.id),
    rules: await rulesOf(db),
  }))

  registerRoute(app, context, saveHousekeeping, async ({ caller: { db, project }, body: rules, origin }) => {
    await db.transaction().execute(async (work) => {
      const values = { ...rules, ran_on: null, updated_at: context.clock() }
      await work
        .insertInto('housekeeping_rules')
        .values({ project_id: project.id, ...values })
        .onConflict((again) => again.column('project_id').doUpdateSet(values))
        .execute()
      await appendEvent(work, housekeepingChanged, origin, rules)
    })
    return { rules }
  })

  registerRoute(app, context, deleteConversation, async ({ caller: { db, project }, params, origin }) => {
    await db.transaction().execute(async (work) => {
      const which = sql<boolean>`gid = ${params.conversation} and environment in ('production', 'sharing')`
      if ((await deleteConversations(work, project.id, which, 1)) === 0) throw new ApiError('not_found')
      await appendEvent(work, conversationDeleted, origin, { conversation: params.conversation })
    })
    return {}
  })
}

const rulesOf = async (db: ProjectDb): Promise<Housekeeping> =>
  (await db
    .selectFrom('housekeeping_rules')
    .select(['tests_after_days', 'steps_after_days', 'mails_after_days', 'versions_kept'])
    .executeTakeFirst()) ?? never
