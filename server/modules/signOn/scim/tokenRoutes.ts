import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { registerRoute } from '../../../access/register'
import { Role } from '../../../access/roles'
import { hashToken, newToken } from '../../../access/tokens'
import { createScimToken, deleteScimToken } from '../../../contracts/signOn'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { scimTokenCreated, scimTokenDeleted } from '../events'
import { presentSignOn } from '../present'

/** A prefix that tells such a token from an API key. */
const PREFIX = 'parley_scim_'

/** Routes for the token of a project's directory. */
export function registerScimToken(app: FastifyInstance, context: ServerContext): void {
  const { config, clock } = context
  const present = ({ db, project }: ProjectCaller) => presentSignOn(db, config, project.gid)
  const wantOwner = ({ roles }: ProjectCaller) => {
    if (!roles.includes(Role.OWNER)) throw new ApiError('forbidden')
  }

  registerRoute(app, context, createScimToken, async ({ caller, origin }) => {
    wantOwner(caller)
    const token = PREFIX + newToken()
    const preview = `${token.slice(0, PREFIX.length + 4)}…${token.slice(-4)}`
    const values = { token_hash: hashToken(token), preview, created_at: clock(), last_used_at: null }
    await caller.db.transaction().execute(async (work) => {
      await work
        .insertInto('scim_tokens')
        .values({ ...values, project_id: caller.project.id })
        .onConflict((again) => again.column('project_id').doUpdateSet(values))
        .execute()
      await appendEvent(work, scimTokenCreated, origin, {})
    })
    return { token, sign_on: await present(caller) }
  })

  registerRoute(app, context, deleteScimToken, async ({ caller, origin }) => {
    wantOwner(caller)
    await caller.db.transaction().execute(async (work) => {
      const deleted = await work.deleteFrom('scim_tokens').returning('project_id').executeTakeFirst()
      if (!deleted) throw new ApiError('conflict')
      await appendEvent(work, scimTokenDeleted, origin, {})
    })
    return present(caller)
  })
}
