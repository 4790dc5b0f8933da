import type { FastifyInstance } from 'fastify'
import { newKey } from '../../../access/apiKeys'
import { entitlementsOf } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import {
  type ApiKey,
  createApiKey,
  deleteApiKey,
  KEYS_PER_PROJECT,
  listApiKeys,
  OLD_KEY_HOURS,
  rotateApiKey,
} from '../../../contracts/api-keys'
import { API_PATH } from '../../../contracts/publicApi'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { apiKeyCreated, apiKeyDeleted, apiKeyRotated } from '../events'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Routes for the API keys of a project. */
export function registerApiKeys(app: FastifyInstance, context: ServerContext): void {
  const { clock, config, ids } = context

  registerRoute(app, context, listApiKeys, async ({ caller: { db, project, user } }) => ({
    keys: await keysOf({ db }, project.id, user.id),
    mcp_url: `${config.publicUrl}/mcp`,
    api_url: config.publicUrl + API_PATH,
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
          expires_at: body.expires_in_days === undefined ? null : new Date(now.getTime() + body.expires_in_days * DAY),
          calls_a_minute: body.calls_a_minute ?? null,
        })
        .execute()
      await appendEvent(trx, apiKeyCreated, origin, { key: gid, name: body.name })
    })
    const key = (await keysOf({ db }, project.id, user.id)).find(({ id }) => id === gid)
    if (!key) throw new ApiError('conflict')
    return { key, secret }
  })

  registerRoute(app, context, rotateApiKey, async ({ caller: { db, project, user }, params, origin }) => {
    const { secret, preview, hash } = newKey()
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('api_keys')
        .select(['id', 'name', 'user_id', 'key_hash'])
        .where('gid', '=', params.gid)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!row) throw new ApiError('not_found')
      // a key acts as who made it: nobody else may hold its secret
      if (row.user_id !== user.id)
        throw new ApiError('forbidden', { message: 'Only the member who made this key can replace its secret.' })
      await trx
        .updateTable('api_keys')
        .set({
          ...{ preview, key_hash: hash, old_key_hash: row.key_hash },
          old_key_until: new Date(clock().getTime() + OLD_KEY_HOURS * HOUR),
        })
        .where('id', '=', row.id)
        .execute()
      await appendEvent(trx, apiKeyRotated, origin, { key: params.gid, name: row.name })
    })
    const key = (await keysOf({ db }, project.id, user.id)).find(({ id }) => id === params.gid)
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

/** A project's keys, newest first, as a member sees them. */
export async function keysOf({ db }: { db: Db }, projectId: string, userId: string): Promise<ApiKey[]> {
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
      'api_keys.expires_at',
      'api_keys.calls_a_minute',
      'api_keys.old_key_until',
      'api_keys.user_id',
      'users.first_name',
      'users.last_name',
    ])
    .where('api_keys.project_id', '=', projectId)
    .orderBy('api_keys.id', 'desc')
    .execute()
  return rows.map(({ gid, name, preview, scopes, calls_a_minute, first_name, last_name, ...row }) => ({
    id: gid,
    name,
    preview,
    scope: scopes.includes('write') ? ('write' as const) : ('read' as const),
    timestamp: row.created_at.toISOString(),
    by: `${first_name} ${last_name}`,
    mine: row.user_id === userId,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    calls_a_minute,
    old_key_until: row.old_key_until?.toISOString() ?? null,
  }))
}
