import type { FastifyRequest } from 'fastify'
import type { Scope } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import { ApiError } from '../platform/errors'
import type { CallerUser } from './access'
import { entitlementsOf } from './entitlements'
import { hasSecondFactor } from './secondFactors'
import { hashToken, newToken } from './tokens'

/** A prefix that identifies our keys when one is pasted into the wrong place. */
const PREFIX = 'parley_'
/** The resolution of "last used". */
const USE_NOTED_EVERY = 60_000

/** A new key, and what the database stores of it. */
export function newKey(): { secret: string; preview: string; hash: Buffer } {
  const secret = PREFIX + newToken()
  return { secret, preview: `${secret.slice(0, PREFIX.length + 4)}…${secret.slice(-4)}`, hash: hashToken(secret) }
}

const KEY_IS_GONE = 'This API key does not exist, or was deleted. A key also ends when its holder leaves the project.'

const KEY_HAS_EXPIRED = 'This API key has expired. Create another one on the screen API keys.'

export interface KeyHolder {
  /** the key's own id */
  key: string
  user: CallerUser
  /** what it may be used for */
  scopes: readonly Scope[]
  /** the key's project, as the database has it */
  projectId: string
  /** its own limit of calls; null: the usual one */
  callsAMinute: number | null
  /** the key's project; whether its holder may still do something there is checked per call (`memberOf`) */
  pgid: string
}

/** @throws ApiError `forbidden` if the key lacks the scope */
export function wantScope({ scopes }: Pick<KeyHolder, 'scopes'>, scope: Scope): void {
  if (scopes.includes(scope) || (scope === 'read' && scopes.includes('write'))) return
  throw new ApiError('forbidden', { message: 'This API key may only read. Create one that may write.' })
}

/**
 * Authenticates `Authorization: Bearer <key>`.
 * @throws ApiError `unauthenticated` without a valid key; `project_suspended`, `account_suspended`; `plan_limit` if the
 *   project's plan does not include the API
 */
export async function authenticateKey(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
): Promise<KeyHolder> {
  const [, secret] = /^Bearer (\S{20,200})$/.exec(request.headers.authorization ?? '') ?? []
  if (!secret) throw new ApiError('unauthenticated', { message: 'Send an API key as “Authorization: Bearer <key>”.' })
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    // of all projects: the key determines which
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .select([
      'api_keys.id as key',
      'api_keys.project_id',
      'api_keys.scopes',
      'api_keys.last_used_at',
      'api_keys.expires_at',
      'api_keys.calls_a_minute',
      'projects.gid as pgid',
      'projects.suspended_at',
      'users.suspended_at as holder_suspended_at',
      'projects.plan_id',
      'projects.addons',
      'users.id',
      'users.gid',
      'users.email',
      'users.first_name',
      'users.last_name',
      hasSecondFactor.as('secured'),
    ])
    .where(({ eb, or, and }) =>
      or([
        eb('api_keys.key_hash', '=', hashToken(secret)),
        // the one before, while it lasts
        and([eb('api_keys.old_key_hash', '=', hashToken(secret)), eb('api_keys.old_key_until', '>', clock())]),
      ]),
    )
    .executeTakeFirst()
  if (!row) throw new ApiError('unauthenticated', { message: KEY_IS_GONE })
  const { key, project_id, scopes, last_used_at, expires_at, calls_a_minute, pgid, plan_id, addons, ...rest } = row
  const { suspended_at, holder_suspended_at, ...user } = rest
  if (suspended_at) throw new ApiError('project_suspended')
  if (holder_suspended_at) throw new ApiError('account_suspended')
  if (expires_at && expires_at <= clock()) throw new ApiError('unauthenticated', { message: KEY_HAS_EXPIRED })
  if (!entitlementsOf({ plan_id, addons }).features.api) throw new ApiError('plan_limit')
  const now = clock()
  if (now.getTime() - (last_used_at?.getTime() ?? 0) > USE_NOTED_EVERY)
    await db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', key)
      .where('project_id', '=', project_id)
      .execute()
  return {
    key,
    user: { ...user, address: request.ip, byKey: true },
    pgid,
    scopes,
    projectId: project_id,
    callsAMinute: calls_a_minute,
  }
}
