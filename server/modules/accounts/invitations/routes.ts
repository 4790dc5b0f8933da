import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { authenticate, openSession } from '../../../access/sessions'
import { acceptAsNew, acceptInvitation, lookAtInvitation } from '../../../contracts/invitations'
import type { ServerContext } from '../../../platform/context'
import { ApiError, fieldError } from '../../../platform/errors'
import { hashPassword } from '../../../platform/passwords'
import { refuseCommonPassword } from '../auth/commonPasswords'
import { insertUser } from '../auth/createUser'
import { rememberDevice } from '../auth/knownDevices'
import { presentUser } from '../auth/presenter'
import { membershipsOf } from '../projects/memberships'
import { claimInvitation, findInvitation, stateOf, wantOpen } from './claim'

/** Routes for invited people: view and accept. */
export function registerInvitations(app: FastifyInstance, context: ServerContext): void {
  const { db, clock } = context

  registerRoute(app, context, lookAtInvitation, async ({ body, request }) => {
    const row = await findInvitation(db, body.token)
    const user = await authenticate(context, request)
    return {
      state: stateOf(row, clock()),
      invitation: row
        ? {
            project: row.project,
            invited_by: row.first_name === null ? null : `${row.first_name} ${row.last_name}`,
            email: row.email,
            roles: row.roles.toSorted(),
            expires_at: row.expires_at.toISOString(),
            has_account: row.account !== null,
          }
        : null,
      logged_in_as: user?.email ?? null,
      member_of: row && user && (await isMember(row.pgid, user.id)) ? row.pgid : null,
    }
  })

  async function isMember(pgid: string, userId: string): Promise<boolean> {
    const memberships = await membershipsOf(db, userId)
    return memberships.some(({ gid }) => gid === pgid)
  }

  registerRoute(app, context, acceptInvitation, async ({ caller: { user }, body: { token }, request }) => {
    const now = clock()
    const row = wantOpen(await findInvitation(db, token), now)
    if (row.email !== user.email) {
      throw new ApiError('forbidden', {
        message: `This invitation is for ${row.email}, and you are logged in as ${user.email}. Log out to accept it.`,
      })
    }
    await db.transaction().execute((trx) => claimInvitation(trx, { token, user, isDefault: false, now, request }))
    return { pgid: row.pgid }
  })

  registerRoute(app, context, acceptAsNew, async ({ body, request, reply }) => {
    await refuseCommonPassword(body.password)
    const now = clock()
    const { token, password, ...person } = body
    // hashing is expensive: first check whether the invitation is open
    const { email, account, pgid } = wantOpen(await findInvitation(db, token), now)
    if (account !== null) throw fieldError('email', 'There is an account with this email already: log in to accept')
    const password_hash = await hashPassword(password)
    const user = await db.transaction().execute(async (trx) => {
      // the link proves the address: its holder reads that mailbox, or got the link from somebody who vouches for it
      const made = await insertUser(context, trx, { ...person, email, password_hash, email_verified: true })
      await claimInvitation(trx, { token, user: made, isDefault: true, now, request })
      return made
    })
    await openSession(context, reply, { id: user.id })
    await rememberDevice(context, request, reply, user.id)
    return { pgid, user: presentUser(user) }
  })
}
