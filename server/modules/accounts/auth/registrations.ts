import type { Kysely, Transaction } from 'kysely'
import { hashToken, newToken } from '../../../access/tokens'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'

const LIFETIME = 60 * 60 * 1000

/** Issues a token for the link that creates an account with that address. Deletes expired ones. */
export async function issueRegistration(db: Kysely<Database>, email: string, now: Date): Promise<string> {
  const token = newToken()
  await db.deleteFrom('registrations').where('expires_at', '<=', now).execute()
  await db
    .insertInto('registrations')
    .values({ token_hash: hashToken(token), email, created_at: now, expires_at: new Date(now.getTime() + LIFETIME) })
    .execute()
  return token
}

/** The address of a link; null if it is expired, used or unknown. */
export async function registrationOf(db: Kysely<Database>, token: string, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('registrations')
    .select('email')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.email ?? null
}

/**
 * Uses up a link and all others for the address. Of concurrent attempts one succeeds.
 * @returns the address
 * @throws ApiError `conflict` if it is no longer valid
 */
export async function claimRegistration(trx: Transaction<Database>, token: string, now: Date): Promise<string> {
  const claimed = await trx
    .deleteFrom('registrations')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst()
  if (!claimed) throw closedRegistration()
  await trx.deleteFrom('registrations').where('email', '=', claimed.email).execute()
  return claimed.email
}

export const closedRegistration = () =>
  new ApiError('conflict', { message: 'This link no longer works. Request a new one.' })
