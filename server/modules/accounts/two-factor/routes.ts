import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { closeOtherSessions, secureSession } from '../../../access/sessions'
import * as contract from '../../../contracts/two-factor'
import type { ServerContext } from '../../../platform/context'
import { fieldError } from '../../../platform/errors'
import type { AccountParts } from '../accountParts'

/** Routes for turning two-factor sign-in on and off, in one's own account. */
export function registerTwoFactor(app: FastifyInstance, context: ServerContext, parts: AccountParts): void {
  const { db } = context
  const { twoFactor, takeCode, wantPassword, tell, documents } = parts

  registerRoute(app, context, contract.readTwoFactor, ({ caller }) => twoFactor.read(caller.user.id))

  registerRoute(app, context, contract.beginTwoFactor, async ({ caller: { user }, body }) => {
    await wantPassword(user.id, body.current)
    return twoFactor.begin(user)
  })

  registerRoute(app, context, contract.confirmTwoFactor, async ({ caller: { user }, body, request }) => {
    const recovery_codes = await db.transaction().execute(async (work) => {
      const codes = await twoFactor.confirm(work, user.id, body.code)
      if (!codes) throw fieldError('code', 'This code is wrong. Check the time of your device, and try the next one.')
      // those were opened by the password alone
      await closeOtherSessions({ db: work }, request, user.id)
      await secureSession({ db: work }, request, 'code')
      return codes
    })
    documents.rightsChanged(user.id)
    tell(user, 'twoFactorOn', request)
    return { recovery_codes }
  })

  registerRoute(app, context, contract.renewRecoveryCodes, async ({ caller: { user }, body, request }) => {
    await wantPassword(user.id, body.current)
    await takeCode(user, body.code, request)
    const recovery_codes = await twoFactor.renewRecoveryCodes(user.id)
    tell(user, 'recoveryCodesRenewed', request)
    return { recovery_codes }
  })

  registerRoute(app, context, contract.turnOffTwoFactor, async ({ caller: { user }, body, request }) => {
    await wantPassword(user.id, body.current)
    await takeCode(user, body.code, request)
    await twoFactor.turnOff(user.id)
    documents.rightsChanged(user.id)
    tell(user, 'twoFactorOff', request)
    return {}
  })
}
