import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { authenticate, closeOtherSessions, closeSession, giveXsrfCookie } from '../../../access/sessions'
import { csrfCookie, currentUser, installation, login, logout, logoutElsewhere } from '../../../contracts/auth'
import { loginByCode } from '../../../contracts/two-factor'
import { sendsMails } from '../../../platform/config/mailSettings'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { createLockout } from '../../../platform/http/attempts'
import { callerAddress } from '../../../platform/http/callerAddress'
import { verifyPassword } from '../../../platform/passwords'
import type { AccountParts } from '../accountParts'
import { createBegunLogins } from '../two-factor/begunLogins'
import { forgetDevices, knownDeviceOf, rememberDevice } from './knownDevices'
import { presentUser } from './presenter'
import { registerRegistration } from './registrationRoutes'
import { hasUsers } from './setup'

/** Failures per minute: of one account from one address, and from one address over all accounts. */
const LOGIN_FAILURES = 5
const LOGIN_FAILURES_OF_ADDRESS = 50
/**
 * Failures of one account from anywhere: an attacker may have many addresses. README.md explains how the owner can
 * still log in.
 */
const MINUTE = 60_000
const ACCOUNT_FAILURES = { free: 10, firstMs: MINUTE / 2, longestMs: 15 * MINUTE, forgetMs: 24 * 60 * MINUTE }

export function registerAuth(
  app: FastifyInstance,
  context: ServerContext,
  { documents, twoFactor, takeCode, enter, tell }: AccountParts,
): void {
  const ofAccountHere = context.limits.attempts('logins of an account and address', LOGIN_FAILURES)
  const ofAddress = context.limits.attempts('logins of an address', LOGIN_FAILURES_OF_ADDRESS)
  const ofAccount = createLockout(context.clock, ACCOUNT_FAILURES)
  const begun = createBegunLogins(context)
  registerRegistration(app, context)

  registerRoute(app, context, csrfCookie, async ({ request, reply }) => {
    await giveXsrfCookie(context, request, reply)
    return {}
  })

  registerRoute(app, context, installation, async ({ request }) => {
    const has_owner = await hasUsers(context.db)
    const logged_in = (await authenticate(context, request)) !== null
    return {
      has_owner,
      registration_open: has_owner && context.config.registration === 'open',
      registration_by_mail: sendsMails(context.config),
      logged_in,
    }
  })

  registerRoute(app, context, login, async ({ body, request, reply }) => {
    const email = body.email.toLowerCase()
    const address = callerAddress(request.ip)
    const here = `${email} ${address}`
    const device = await knownDeviceOf(context, request, email)
    // a known browser has a counter of its own: strangers' failures don't lock it out
    const anywhere = device ? `${email} ${device}` : email
    // counted before the password is checked, so that parallel guesses are limited too
    await ofAddress.take(address)
    await ofAccountHere.take(here)
    ofAccount.take(anywhere)
    const row = await context.db
      .selectFrom('users')
      .select(['id', 'gid', 'email', 'first_name', 'last_name', 'password_hash'])
      .where('email', '=', email)
      .executeTakeFirst()
    const right = await verifyPassword(row?.password_hash, body.password)
    if (!row || !right) throw new ApiError('credentials')
    await ofAccountHere.forgive(here)
    await ofAddress.forgive(address)
    ofAccount.forget(anywhere)
    const { password_hash: passwordHash, ...user } = row
    if ((await twoFactor.read(row.id)).on_since !== null) {
      await begun.begin(reply, { id: row.id, passwordHash })
      return { user: null, code_required: true }
    }
    await enter(request, reply, { ...user, passwordHash, secondFactor: null })
    return { user: presentUser(user), code_required: false }
  })

  registerRoute(app, context, loginByCode, async ({ body, request, reply }) => {
    const { userId, passwordHash, signOn } = await begun.takeTry(request)
    const user = await context.db
      .selectFrom('users')
      .select(['id', 'gid', 'email', 'first_name', 'last_name'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const secondFactor = await takeCode(user, body.code, request)
    await begun.end(request, reply)
    await enter(request, reply, { ...user, passwordHash, secondFactor, signOn })
    if (secondFactor === 'recovery') tell(user, 'recoveryCodeUsed', request)
    return { user: presentUser(user) }
  })

  registerRoute(app, context, logout, async ({ caller, request, reply }) => {
    await closeSession(context, request, reply)
    documents.rightsChanged(caller.user.id)
    return {}
  })

  registerRoute(app, context, logoutElsewhere, async ({ caller: { user }, request, reply }) => {
    const ended = await closeOtherSessions(context, request, user.id)
    documents.rightsChanged(user.id)
    await forgetDevices(context.db, user.id)
    await rememberDevice(context, request, reply, user.id)
    return { ended }
  })

  registerRoute(app, context, currentUser, ({ caller }) => presentUser(caller.user))
}
