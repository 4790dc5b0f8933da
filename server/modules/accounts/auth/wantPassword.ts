import type { ServerContext } from '../../../platform/context'
import { fieldError } from '../../../platform/errors'
import { verifyPassword } from '../../../platform/passwords'

/** Password confirmations per account and minute: somebody at an unlocked browser must not guess it. */
const PASSWORDS = 10

/** Creates the check of an account's password before a change to the account. */
export function createWantPassword({ db, limits }: Pick<ServerContext, 'db' | 'limits'>) {
  const passwords = limits.attempts('passwords of an account', PASSWORDS)

  /** @throws ApiError at its field if the password is wrong; too_many_requests */
  return async (userId: string, given: string): Promise<void> => {
    await passwords.take(userId)
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    if (!(await verifyPassword(password_hash, given))) throw fieldError('current', 'This is not your password')
    await passwords.forgive(userId)
  }
}
