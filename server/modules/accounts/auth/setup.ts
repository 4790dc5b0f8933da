import { timingSafeEqual } from 'node:crypto'
import type { Transaction } from 'kysely'
import { hashToken, newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError, fieldError } from '../../../platform/errors'

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The link that creates the first account; null if there is one. Each call invalidates the previous link. */
export async function setupLink(context: ServerContext): Promise<string | null> {
  if (await hasUsers(context.db)) return null
  const token = newToken()
  await context.db
    .updateTable('installation')
    .set({ setup_token_hash: hashToken(token) })
    .execute()
  return `${context.config.publicUrl}/register?setup_token=${token}`
}

/**
 * Checks within a registration's transaction whether it is allowed: the first account needs the setup token, a later
 * one open registration. Concurrent registrations wait for the first.
 * @returns whether it is the first account, whose holder runs the installation
 * @throws ApiError `setup_required`, `registration_closed`, or a field error for an invalid or expired token
 */
export async function admitRegistration(
  context: ServerContext,
  transaction: Transaction<Database>,
  token: string | undefined,
): Promise<boolean> {
  const row = await transaction.selectFrom('installation').select('setup_token_hash').forUpdate().executeTakeFirst()
  if (await hasUsers(transaction)) {
    if (context.config.registration === 'closed') throw new ApiError('registration_closed')
    return false
  }
  if (token === undefined) throw new ApiError('setup_required')
  const expected = row?.setup_token_hash
  if (!expected || !timingSafeEqual(hashToken(token), expected)) {
    throw fieldError('setup_token', 'This link is no longer valid: use the one that the server printed last')
  }
  await transaction.updateTable('installation').set({ setup_token_hash: null }).execute()
  return true
}
