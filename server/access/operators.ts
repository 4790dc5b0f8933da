import type { ServerContext } from '../platform/context'
import type { CallerUser } from './access'

/**
 * Whether an account runs the installation: the one that was made by the printed link, and those whose addresses
 * `OPERATORS` names. A named address counts once it is confirmed, or where nobody can register by themselves: else
 * whoever registers with it first would run the installation.
 */
export async function isOperator(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  { id, email }: Pick<CallerUser, 'id' | 'email'>,
): Promise<boolean> {
  const { owner_id } = await db.selectFrom('installation').select('owner_id').executeTakeFirstOrThrow()
  if (owner_id === id) return true
  if (!config.operators.includes(email)) return false
  if (config.registration === 'closed') return true
  const user = await db.selectFrom('users').select('email_verified').where('id', '=', id).executeTakeFirst()
  return user?.email_verified ?? false
}
