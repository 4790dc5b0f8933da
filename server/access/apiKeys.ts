import type { FastifyRequest } from 'fastify'
import type { Scope } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import { ApiError } from '../platform/errors'
import type { CallerUser } from './access'
import { planOf } from './plans'
import { hashToken, newToken } from './tokens'

/** Tells our keys from others' where one was pasted into the wrong place. */
const PREFIX = 'parley_'
/** How old "last used" may be. */
const USE_NOTED_EVERY = 60_000

/** A new key, with what the database keeps of it. */
export function newKey(): { secret: string; preview: string; hash: Buffer } {
  const secret = PREFIX + newToken()
  return { secret, preview: `${secret.slice(0, PREFIX.length + 4)}…${secret.slice(-4)}`, hash: hashToken(secret) }
}

const KEY_IS_GONE = 'This API key does not exist, or was deleted. A key also ends when its holder leaves the project.'

export interface KeyHolder {
  /** the key's own id */
  key: string
  user: CallerUser
  /** what it may be used for */
  scopes: readonly Scope[]
  /** the project that the key is for; whether its holder still may do something there is asked for each thing (`memberOf`) */
  pgid: string
}

/** @throws ApiError `forbidden` for a key that was not made for this */
export function wantScope({ scopes }: Pick<KeyHolder, 'scopes'>, scope: Scope): void {
  if (scopes.includes(scope) || (scope === 'read' && scopes.includes('write'))) return
  throw new ApiError('forbidden', { message: 'This API key may only read. Create one that may write.' })
}

/**
 * Who calls with `Authorization: Bearer <key>`.
 * @throws ApiError `unauthenticated` without a key, or with one that is none (any more); `plan_limit` where the plan has no API (any more)
 */
export async function authenticateKey(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<KeyHolder> {
  const [, secret] = /^Bearer (\S{20,200})$/.exec(request.headers.authorization ?? '') ?? []
  if (!secret) throw new ApiError('unauthenticated', { message: 'Send an API key as “Authorization: Bearer <key>”.' })
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    // every project's: the key is what names it
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .select([
      'api_keys.id as key',
      'api_keys.project_id',
      'api_keys.scopes',
      'api_keys.last_used_at',
      'projects.gid as pgid',
      'projects.plan_id',
      'users.id',
      'users.gid',
      'users.email',
      'users.first_name',
      'users.last_name',
    ])
    .where('api_keys.key_hash', '=', hashToken(secret))
    .executeTakeFirst()
  if (!row) throw new ApiError('unauthenticated', { message: KEY_IS_GONE })
  const { key, project_id, scopes, last_used_at, pgid, plan_id, ...user } = row
  if (!planOf(plan_id).features.api) throw new ApiError('plan_limit')
  const now = clock()
  if (now.getTime() - (last_used_at?.getTime() ?? 0) > USE_NOTED_EVERY)
    await db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', key)
      .where('project_id', '=', project_id)
      .execute()
  return { key, user, pgid, scopes }
}
