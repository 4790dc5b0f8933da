import type { ServerContext } from '../../context'
import { fieldError } from '../../errors'
import type { CallerUser } from '../access'
import { addProject } from '../projects/addProject'
import { hashPassword } from './passwords'
import { admitRegistration } from './setup'

export interface Registration {
  first_name: string
  last_name: string
  email: string
  password: string
  setup_token?: string | undefined
}

/**
 * Makes an account with its settings and its default project, whose owner it is.
 * @throws ApiError when the installation takes nobody (see admitRegistration), or the email is taken
 */
export async function createUser(context: ServerContext, registration: Registration): Promise<CallerUser> {
  const password_hash = await hashPassword(registration.password)
  return context.db.transaction().execute(async (transaction) => {
    await admitRegistration(context, transaction, registration.setup_token)
    const user = await transaction
      .insertInto('users')
      .values({
        gid: context.ids(),
        email: registration.email.toLowerCase(),
        first_name: registration.first_name,
        last_name: registration.last_name,
        password_hash,
        created_at: context.clock(),
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning(['id', 'gid', 'email', 'first_name', 'last_name'])
      .executeTakeFirst()
    if (!user) throw fieldError('email', 'There is an account with this email already')
    await transaction.insertInto('user_settings').values({ user_id: user.id }).execute()
    await addProject(context, transaction, user.id, 'My project')
    return user
  })
}
