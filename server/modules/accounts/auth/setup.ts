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

/**
 * The address at which the first account is made; null when there is one already. Each call makes the last link worthless: only the
 * one that was printed last works.
 */
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
 * Decides in the transaction of a registration whether it may be: the first account wants the setup token, a later one an open
 * registration. Others that register at once wait for the first.
 * @throws ApiError `setup_required`, `registration_closed`, or the field error of a token that isn't (or is no longer) right
 */
export async function admitRegistration(
  context: ServerContext,
  transaction: Transaction<Database>,
  token: string | undefined,
): Promise<void> {
  const row = await transaction.selectFrom('installation').select('setup_token_hash').forUpdate().executeTakeFirst()
  if (await hasUsers(transaction)) {
    if (context.config.registration === 'closed') throw new ApiError('registration_closed')
    return
  }
  if (token === undefined) throw new ApiError('setup_required')
  const expected = row?.setup_token_hash
  if (!expected || !timingSafeEqual(hashToken(token), expected)) {
    throw fieldError('setup_token', 'This link is no longer valid: use the one that the server printed last')
  }
  await transaction.updateTable('installation').set({ setup_token_hash: null }).execute()
}
