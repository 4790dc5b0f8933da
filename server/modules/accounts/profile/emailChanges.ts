import type { Transaction } from 'kysely'
import { hashToken, newToken } from '../../../access/tokens'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError, isUniqueViolation } from '../../../platform/errors'

const LIFETIME = 60 * 60 * 1000

/** A token for the link that makes an address the account's; those given before don't work any more. */
export async function issueEmailChange(db: Db, userId: string, email: string, now: Date): Promise<string> {
  const token = newToken()
  await db
    .deleteFrom('email_changes')
    .where((where) => where.or([where('user_id', '=', userId), where('expires_at', '<=', now)]))
    .execute()
  const expires_at = new Date(now.getTime() + LIFETIME)
  await db
    .insertInto('email_changes')
    .values({ token_hash: hashToken(token), user_id: userId, email, created_at: now, expires_at })
    .execute()
  return token
}

/**
 * Uses a link up: its address is the account's then, and confirmed.
 * @returns the account, with the address it had before
 * @throws ApiError `conflict` when the link doesn't work (any more), or the address has become another account's
 */
export async function claimEmailChange(trx: Transaction<Database>, token: string, now: Date) {
  const claimed = await trx
    .deleteFrom('email_changes')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  if (!claimed) throw closed()
  const { user_id, email } = claimed
  const user = await trx
    .selectFrom('users')
    .select(['id', 'email as before', 'first_name'])
    .where('id', '=', user_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('users')
    .set({ email, email_verified: true })
    .where('id', '=', user_id)
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? closed() : error
    })
  // links for a new password that went to the address before
  await trx.deleteFrom('password_resets').where('user_id', '=', user_id).execute()
  return { ...user, email }
}

const closed = () => new ApiError('conflict', { message: 'This link does not work any more. Change the email again.' })
