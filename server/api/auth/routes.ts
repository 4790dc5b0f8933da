import type { FastifyInstance } from 'fastify'
import { createAttempts } from '../../attempts'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import { registerRoute } from '../register'
import { csrfCookie, currentUser, installation, login, logout, register } from './contract'
import { createUser } from './createUser'
import { verifyPassword } from './passwords'
import { presentUser } from './presenter'
import { authenticate, closeSession, giveXsrfCookie, openSession } from './sessions'
import { hasUsers } from './setup'

/** A minute's failures: of one account from one address, and of one address over all accounts. */
const LOGIN_FAILURES = 5
const LOGIN_FAILURES_OF_ADDRESS = 50
/** A minute's registrations from one address: each costs a hash. */
const REGISTRATIONS = 60

export function registerAuth(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const ofAccount = createAttempts(context.clock, LOGIN_FAILURES)
  const ofAddress = createAttempts(context.clock, LOGIN_FAILURES_OF_ADDRESS)
  const registrations = createAttempts(context.clock, REGISTRATIONS)

  registerRoute(app, context, csrfCookie, async ({ request, reply }) => {
    await giveXsrfCookie(context, request, reply)
    return {}
  })

  registerRoute(app, context, installation, async ({ request }) => {
    const has_owner = await hasUsers(context.db)
    const logged_in = (await authenticate(context, request)) !== null
    return { has_owner, registration_open: has_owner && context.config.registration === 'open', logged_in }
  })

  registerRoute(app, context, register, async ({ body, request, reply }) => {
    registrations.take(request.ip)
    const user = await createUser(context, body)
    await openSession(context, reply, { id: user.id })
    return { user: presentUser(user) }
  })

  registerRoute(app, context, login, async ({ body, request, reply }) => {
    const email = body.email.toLowerCase()
    const account = `${email} ${request.ip}`
    // counted before the password is looked at, so that a hundred guesses at once are not a hundred guesses
    ofAddress.take(request.ip)
    ofAccount.take(account)
    const row = await context.db
      .selectFrom('users')
      .select(['id', 'gid', 'email', 'first_name', 'last_name', 'password_hash'])
      .where('email', '=', email)
      .executeTakeFirst()
    const right = await verifyPassword(row?.password_hash, body.password)
    if (!row || !right) throw new ApiError('credentials')
    ofAccount.forgive(account)
    ofAddress.forgive(request.ip)
    await openSession(context, reply, { id: row.id, passwordHash: row.password_hash })
    return { user: presentUser(row) }
  })

  registerRoute(app, context, logout, async ({ caller, request, reply }) => {
    await closeSession(context, request, reply)
    documents.rightsChanged(caller.user.id)
    return {}
  })

  registerRoute(app, context, currentUser, ({ caller }) => presentUser(caller.user))
}
