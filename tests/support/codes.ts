import { Secret, TOTP } from 'otpauth'
import { beginTwoFactor, confirmTwoFactor } from '../../server/contracts/two-factor'
import type { Registered } from './server'

/** The code that an app shows for a secret. @param after steps of 30 s after `now` */
export const codeOf = (secret: string, now: Date, after = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now.getTime() + after * 30_000 })

/** Turns two-factor sign-in on. @returns the secret of the app, and the recovery codes */
export async function turnOnTwoFactor(person: Registered, now: Date) {
  const { secret } = await person.call(beginTwoFactor, { body: { current: person.password } })
  const { recovery_codes } = await person.call(confirmTwoFactor, { body: { code: codeOf(secret, now) } })
  return { secret, recovery_codes }
}
