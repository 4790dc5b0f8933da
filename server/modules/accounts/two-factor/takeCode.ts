import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '../../../platform/context'
import { fieldError } from '../../../platform/errors'
import { createLockout } from '../../../platform/http/attempts'
import { callerAddress } from '../../../platform/http/callerAddress'
import { knownDeviceOf } from '../auth/knownDevices'
import type { CodeKind, TwoFactor } from './twoFactor'

const MINUTE = 60_000
/** Wrong codes per minute, from one address over all accounts. */
const OF_ADDRESS = 30
/**
 * Wrong codes of an account, from anywhere: three of a million are right at a time, and whoever guesses knows the
 * password already. A day of guesses against the longest wait is some thirty.
 */
const OF_ACCOUNT = { free: 8, firstMs: MINUTE / 2, longestMs: 60 * MINUTE, forgetMs: 24 * 60 * MINUTE }

/** Creates the check of a code with its limits. */
export function createTakeCode(context: ServerContext, twoFactor: TwoFactor) {
  const ofAddress = context.limits.attempts('codes of an address', OF_ADDRESS)
  const ofAccount = createLockout(context.clock, OF_ACCOUNT)

  /**
   * Takes a code of an account.
   * @throws ApiError too_many_requests; at its field if the code is wrong, or was taken before
   */
  return async (user: { id: string; email: string }, code: string, request: FastifyRequest): Promise<CodeKind> => {
    const address = callerAddress(request.ip)
    // as for passwords: strangers' failures don't lock out a browser that is known
    const device = await knownDeviceOf(context, request, user.email)
    const key = device ? `${user.id} ${device}` : user.id
    // counted before the code is looked at, so that parallel guesses are limited too
    await ofAddress.take(address)
    ofAccount.take(key)
    const kind = await twoFactor.take(user.id, code)
    if (!kind) throw fieldError('code', 'This code is wrong, or was used already. Wait for the next one.')
    await ofAddress.forgive(address)
    ofAccount.forget(key)
    return kind
  }
}
export type TakeCode = ReturnType<typeof createTakeCode>
