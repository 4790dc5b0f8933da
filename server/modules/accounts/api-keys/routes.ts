import type { FastifyInstance } from 'fastify'
import { newKey } from '../../../access/apiKeys'
import { entitlementsOf } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import { type ApiKey, createApiKey, deleteApiKey, KEYS_PER_PROJECT, listApiKeys } from '../../../contracts/api-keys'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { apiKeyCreated, apiKeyDeleted } from '../events'

/** Routes for the API keys of a project. */
export function registerApiKeys(app: FastifyInstance, context: ServerContext): void {
  const { clock, config, ids } = context

  registerRoute(app, context, listApiKeys, async ({ caller: { db, project } }) => ({
    keys: await keysOf({ db }, project.id),
    mcp_url: `${config.publicUrl}/mcp`,
    allowed: entitlementsOf(project).features.api,
  }))

  registerRoute(app, context, createApiKey, async ({ caller: { db, project, user }, body, origin }) => {
    const { secret, preview, hash } = newKey()
    const gid = ids()
    const now = clock()
    await db.transaction().execute(async (trx) => {
      // row lock: two concurrent calls would each see the last free place
      await trx.selectFrom('projects').select('id').where('id', '=', project.id).forNoKeyUpdate().execute()
      const { count } = await trx
        .selectFrom('api_keys')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= KEYS_PER_PROJECT)
        throw new ApiError('conflict', {
          message: `A project can have ${KEYS_PER_PROJECT} API keys. Delete one you no longer use.`,
        })
      await trx
        .insertInto('api_keys')
        .values({
          gid,
          project_id: project.id,
          user_id: user.id,
          name: body.name,
          preview,
          key_hash: hash,
          scopes: [body.scope ?? 'write'],
          created_at: now,
        })
        .execute()
      await appendEvent(trx, apiKeyCreated, origin, { key: gid, name: body.name })
    })
    const key = (await keysOf({ db }, project.id)).find(({ id }) => id === gid)
    if (!key) throw new ApiError('conflict')
    return { key, secret }
  })

  registerRoute(app, context, deleteApiKey, async ({ caller: { db }, params, origin }) => {
    await db.transaction().execute(async (trx) => {
      const deleted = await trx
        .deleteFrom('api_keys')
        .where('gid', '=', params.gid)
        .returning('name')
        .executeTakeFirst()
      if (!deleted) throw new ApiError('not_found')
      await appendEvent(trx, apiKeyDeleted, origin, { key: params.gid, ...deleted })
    })
    return {}
  })
}

/** A project's keys, newest first. */
export async function keysOf({ db }: { db: Db }, projectId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      'api_keys.gid',
      'api_keys.name',
      'api_keys.preview',
      'api_keys.scopes',
      'api_keys.created_at',
      'api_keys.last_used_at',
      'users.first_name',
      'users.last_name',
    ])
    .where('api_keys.project_id', '=', projectId)
    .orderBy('api_keys.id', 'desc')
    .execute()
  return rows.map(({ gid, name, preview, scopes, created_at, last_used_at, first_name, last_name }) => ({
    id: gid,
    name,
    preview,
    scope: scopes.includes('write') ? ('write' as const) : ('read' as const),
    timestamp: created_at.toISOString(),
    by: `${first_name} ${last_name}`,
    last_used_at: last_used_at?.toISOString() ?? null,
  }))
}
