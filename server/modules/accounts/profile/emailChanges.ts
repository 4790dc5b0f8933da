import type { Transaction } from 'kysely'
import { hashToken, newToken } from '../../../access/tokens'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError, isUniqueViolation } from '../../../platform/errors'

const LIFETIME = 60 * 60 * 1000

/** Issues a token for the link that changes an account's address; earlier ones become invalid. */
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
 * Uses up a link: its address becomes the account's, and confirmed.
 * @returns the account, with its previous address
 * @throws ApiError `conflict` if the link is not valid, or the address belongs to another account by now
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
  // password links that were sent to the previous address
  await trx.deleteFrom('password_resets').where('user_id', '=', user_id).execute()
  return { ...user, email }
}

const closed = () => new ApiError('conflict', { message: 'This link does not work any more. Change the email again.' })
