import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { SESSION_COOKIE, secureSession } from '../../../access/sessions'
import * as contract from '../../../contracts/passkeys'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { callerAddress } from '../../../platform/http/callerAddress'
import type { AccountParts } from '../accountParts'
import { presentUser } from '../auth/presenter'
import { createPasskeys } from './passkeys'
import { createVerify } from './verify'

/** Failed log-ins per address and minute. */
const FAILURES = 30

/** Routes for logging in by a passkey, and for those of one's own account. */
export function registerPasskeys(app: FastifyInstance, context: ServerContext, parts: AccountParts): void {
  const { wantPassword, tell, enter, documents } = parts
  const passkeys = createPasskeys(context)
  const verify = createVerify(context)
  const ofAddress = context.limits.attempts('passkeys of an address', FAILURES)

  registerRoute(app, context, contract.beginPasskeyLogin, (exchange) => verify.askToSign(exchange))

  registerRoute(app, context, contract.loginByPasskey, async ({ body: { signed }, request, reply }) => {
    const address = callerAddress(request.ip)
    await ofAddress.take(address)
    const found = await passkeys.find(signed.credential)
    // also of a key that nobody has: its challenge is taken, and the answer is the same
    const counter = await verify.signed(request, signed, found?.publicKey ?? Buffer.alloc(0))
    if (!found || counter === null || textOf(signed.userHandle) !== found.gid) throw refused()
    const { passkey, publicKey, ...user } = found
    if (!(await passkeys.use(passkey, counter))) {
      context.log.warn({ user: user.id }, 'a passkey was refused, since its device has counted no further')
      tell(user, 'passkeyCopied', request)
      throw new ApiError('credentials', {
        message: 'This passkey may have been copied. Log in with your password, and remove it from your account.',
      })
    }
    await ofAddress.forgive(address)
    await enter(request, reply, { ...user, secondFactor: 'passkey' })
    return { user: presentUser(user) }
  })

  registerRoute(app, context, contract.listPasskeys, async ({ caller }) => ({
    passkeys: await passkeys.list(caller.user.id),
  }))

  registerRoute(app, context, contract.beginPasskey, async ({ caller: { user }, body, request, reply }) => {
    await wantPassword(user.id, body.current)
    return verify.askToMake({ request, reply }, user, await passkeys.knownOf(user.id))
  })

  registerRoute(app, context, contract.addPasskey, async ({ caller: { user }, body, request }) => {
    const key = await verify.made(request, user.id, body.made)
    if (!key)
      throw new ApiError('conflict', { message: 'The answer of your device could not be verified. Begin again.' })
    const passkey = await passkeys.add(user.id, body.name, key)
    // the password and the device have just been proved; a code that was proved before stays noted
    if (!user.secured) await secureSession(context, request, 'passkey')
    documents.rightsChanged(user.id)
    tell(user, 'passkeyAdded', request)
    return { passkey }
  })

  registerRoute(app, context, contract.renamePasskey, async ({ caller: { user }, params, body }) => {
    await passkeys.rename(user.id, params.gid, body.name)
    return {}
  })

  registerRoute(app, context, contract.removePasskey, async ({ caller: { user }, params, body, request }) => {
    await wantPassword(user.id, body.current)
    await passkeys.remove(user.id, params.gid, request.cookies[SESSION_COOKIE] ?? '')
    documents.rightsChanged(user.id)
    tell(user, 'passkeyRemoved', request)
    return {}
  })
}

const refused = () =>
  new ApiError('credentials', { message: 'This passkey opens no account here. Log in with your password instead.' })

const textOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString()
