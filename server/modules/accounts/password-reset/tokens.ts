import type { Kysely, Transaction } from 'kysely'
import { hashToken, newToken } from '../../../access/tokens'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'

const LIFETIME = 60 * 60 * 1000
/** How long an expired link still shows why it doesn't work. */
const REMEMBERED = 30 * 24 * 60 * 60 * 1000

/** Issues a link's token for an account; earlier ones stay valid until one of them is used. */
export async function issueReset(db: Kysely<Database>, userId: string, now: Date): Promise<string> {
  const token = newToken()
  await db
    .deleteFrom('password_resets')
    .where('user_id', '=', userId)
    .where('expires_at', '<', new Date(now.getTime() - REMEMBERED))
    .execute()
  await db
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFETIME),
    })
    .execute()
  return token
}

export async function lookAtToken(db: Kysely<Database>, token: string, now: Date) {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email', 'expires_at', 'used_at'])
    .where('password_resets.token_hash', '=', hashToken(token))
    .executeTakeFirst()
  const closed = { email: null, api_keys: [] }
  if (!row) return { state: 'unknown', ...closed } as const
  if (row.used_at) return { state: 'used', ...closed } as const
  if (row.expires_at <= now) return { state: 'expired', ...closed } as const
  const api_keys = await db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .select(['api_keys.name', 'projects.name as project'])
    // in all projects of the account
    .where('api_keys.user_id', '=', row.id)
    .orderBy('api_keys.id', 'desc')
    .execute()
  return { state: 'open', email: row.email, api_keys } as const
}

const refusals = {
  expired: 'This link has expired. Ask for a new one.',
  used: 'This link was used already. Ask for a new one.',
  unknown: 'This link does not work. Ask for a new one.',
}

/** @throws ApiError `conflict` saying why the link doesn't work */
export async function wantOpenToken(db: Kysely<Database>, token: string, now: Date): Promise<void> {
  const { state } = await lookAtToken(db, token, now)
  if (state !== 'open') throw new ApiError('conflict', { message: refusals[state] })
}

/**
 * Uses up a token and all others of the account. Of concurrent attempts one succeeds.
 * @returns the account's id
 * @throws ApiError `conflict` if it is no longer valid
 */
export async function claimReset(trx: Transaction<Database>, token: string, now: Date): Promise<string> {
  const claimed = await trx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (!claimed) {
    await wantOpenToken(trx, token, now)
    throw new ApiError('conflict')
  }
  await trx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('user_id', '=', claimed.user_id)
    .where('used_at', 'is', null)
    .execute()
  return claimed.user_id
}
