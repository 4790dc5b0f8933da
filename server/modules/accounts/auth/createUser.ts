import type { Transaction } from 'kysely'
import type { CallerUser } from '../../../access/access'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { fieldError } from '../../../platform/errors'
import { hashPassword } from '../../../platform/passwords'
import { addProject } from '../projects/addProject'
import { admitRegistration } from './setup'

export interface Registration {
  first_name: string
  last_name: string
  email: string
  password: string
  setup_token?: string | undefined
}

/**
 * Creates an account with its settings and its default project, which it owns.
 * @throws ApiError if registration is closed (see admitRegistration), or the email is taken
 */
export async function createUser(
  context: ServerContext,
  registration: Registration,
  correlation: string,
): Promise<CallerUser> {
  const password_hash = await hashPassword(registration.password)
  return context.db.transaction().execute(async (transaction) => {
    const isFirst = await admitRegistration(context, transaction, registration.setup_token)
    const { first_name, last_name, email } = registration
    const user = await insertUser(context, transaction, { first_name, last_name, email, password_hash })
    await addProject(context, transaction, user.id, 'My project', correlation)
    if (isFirst) await transaction.updateTable('installation').set({ owner_id: user.id }).execute()
    return user
  })
}

/** Inserts an account with its settings, without a project. @throws ApiError if the email is taken */
export async function insertUser(
  context: ServerContext,
  transaction: Transaction<Database>,
  person: Omit<Registration, 'password' | 'setup_token'> & { password_hash: string; email_verified?: boolean },
): Promise<CallerUser> {
  const user = await transaction
    .insertInto('users')
    .values({ ...person, gid: context.ids(), email: person.email.toLowerCase(), created_at: context.clock() })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(['id', 'gid', 'email', 'first_name', 'last_name'])
    .executeTakeFirst()
  if (!user) throw fieldError('email', 'This email can’t be used. If it is yours, log in, or set a new password.')
  await transaction.insertInto('user_settings').values({ user_id: user.id }).execute()
  return user
}
