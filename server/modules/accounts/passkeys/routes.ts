import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransportFuture,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/passkeys'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { AccountParts } from '../accountParts'
import { presentUser } from '../auth/presenter'
import type { PasskeysTable } from '../tables'
import { CHALLENGE_MS, createChallenges } from './challenges'

type Shown = Pick<PasskeysTable, 'gid' | 'name' | 'created_at'> & { used_at: Date | null }
const present = ({ gid, name, created_at, used_at }: Shown): contract.Passkey => ({
  ...{ gid, name },
  created_at: created_at.toISOString(),
  used_at: used_at?.toISOString() ?? null,
})

/** Routes for logging in with a passkey, and for those of one's own account. */
export function registerPasskeys(app: FastifyInstance, context: ServerContext, parts: AccountParts): void {
  const { db, clock, ids, config } = context
  const { wantPassword, tell, enter } = parts
  const challenges = createChallenges(context)
  // read at each call: the address is known when the server listens
  const site = () => {
    const { origin, hostname } = new URL(config.publicUrl)
    return { expectedOrigin: origin, expectedRPID: hostname }
  }
  const refused = () => new ApiError('credentials', { message: 'This passkey can’t be used here.' })

  registerRoute(app, context, contract.beginPasskeyLogin, async ({ reply }) => {
    const options = await generateAuthenticationOptions({
      ...{ rpID: site().expectedRPID, userVerification: 'required', timeout: CHALLENGE_MS },
    })
    await challenges.keep(reply, options.challenge, null)
    return { options: { ...options } }
  })

  registerRoute(app, context, contract.loginByPasskey, async ({ body: { signed }, request, reply }) => {
    const expectedChallenge = await challenges.take(request, reply, null)
    const row = await db
      .selectFrom('passkeys')
      .innerJoin('users', 'users.id', 'passkeys.user_id')
      .select(['users.id', 'users.gid', 'users.email', 'users.first_name', 'users.last_name'])
      .select(['passkeys.gid as passkey', 'credential_id', 'public_key', 'counter'])
      .where('credential_id', '=', signed.id)
      .executeTakeFirst()
    if (!row) throw refused()
    const { passkey, credential_id, public_key, counter, ...user } = row
    const credential = { id: credential_id, publicKey: new Uint8Array(public_key), counter: Number(counter) }
    const checked = await verifyAuthenticationResponse({
      ...{ response: signed as AuthenticationResponseJSON, expectedChallenge, credential, ...site() },
      requireUserVerification: true,
    }).catch(() => null)
    if (!checked?.verified) throw refused()
    const { newCounter } = checked.authenticationInfo
    // of two calls with one signature of a device that counts, one is late
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ counter: newCounter, used_at: clock() })
      .where('gid', '=', passkey)
      .where(({ eb, or }) => or([eb('counter', '<', String(newCounter)), eb('counter', '=', '0')]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw refused()
    await enter(request, reply, { ...user, secondFactor: 'passkey' })
    return { user: presentUser(user) }
  })

  registerRoute(app, context, contract.listPasskeys, async ({ caller: { user } }) => {
    const rows = await db
      .selectFrom('passkeys')
      .select(['gid', 'name', 'created_at', 'used_at'])
      .where('user_id', '=', user.id)
      .orderBy('created_at')
      .orderBy('gid')
      .execute()
    return { passkeys: rows.map(present) }
  })

  registerRoute(app, context, contract.beginPasskey, async ({ caller: { user }, body, reply }) => {
    await wantPassword(user.id, body.current)
    const known = await db
      .selectFrom('passkeys')
      .select(['credential_id', 'transports'])
      .where('user_id', '=', user.id)
      .execute()
    if (known.length >= contract.MOST_PASSKEYS)
      throw new ApiError('conflict', { message: 'There are too many passkeys. Remove one that you don’t use.' })
    const options = await generateRegistrationOptions({
      ...{ rpName: 'Parley', rpID: site().expectedRPID, timeout: CHALLENGE_MS, attestationType: 'none' },
      ...{ userName: user.email, userDisplayName: `${user.first_name} ${user.last_name}`.trim() },
      // what a device keeps of a person says nothing of them
      userID: new Uint8Array(Buffer.from(user.gid)),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    })
    await challenges.keep(reply, options.challenge, user.id)
    return { options: { ...options } }
  })

  registerRoute(app, context, contract.addPasskey, async ({ caller: { user }, body, request, reply }) => {
    const expectedChallenge = await challenges.take(request, reply, user.id)
    const response = body.registered as RegistrationResponseJSON
    const checked = await verifyRegistrationResponse({
      ...{ response, expectedChallenge, ...site(), requireUserVerification: true },
    }).catch(() => null)
    if (!checked?.verified) throw refused()
    const { credential } = checked.registrationInfo
    const made = await db
      .insertInto('passkeys')
      .values({
        ...{ gid: ids(), user_id: user.id, name: body.name, created_at: clock() },
        ...{ credential_id: credential.id, public_key: Buffer.from(credential.publicKey), counter: credential.counter },
        transports: (credential.transports ?? []) as AuthenticatorTransportFuture[],
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(['gid', 'name', 'created_at', 'used_at'])
      .executeTakeFirst()
    if (!made) throw refused()
    tell(user, 'passkeyAdded', request)
    return { passkey: present(made) }
  })

  registerRoute(app, context, contract.removePasskey, async ({ caller: { user }, params, body, request }) => {
    await wantPassword(user.id, body.current)
    const { numDeletedRows } = await db
      .deleteFrom('passkeys')
      .where('gid', '=', params.gid)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new ApiError('not_found')
    tell(user, 'passkeyRemoved', request)
    return {}
  })
}
