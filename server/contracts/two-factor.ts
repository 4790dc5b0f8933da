import { z } from 'zod'
import { userSchema } from './auth'
import { presentPassword } from './fields'
import { defineRoute, ok } from './route'

/** How many recovery codes there are at a time. */
export const RECOVERY_CODES = 10

/** Six digits of the app, or a recovery code: with spaces and dashes as people write them. */
const code = z.string().trim().min(1, 'Required').max(40, 'Must not exceed 40 characters')

/** The second step of a log-in, in the browser that began it: for whoever has two-factor sign-in. */
export const loginCodeBody = z.strictObject({ code })
export const loginByCode = defineRoute({
  method: 'POST',
  path: '/api/auth/login/code',
  access: 'guest',
  body: loginCodeBody,
  answer: z.strictObject({ user: userSchema }),
})

export const twoFactorSchema = z.strictObject({
  /** null: off */
  on_since: z.string().nullable(),
  recovery_codes_left: z.int(),
})
export const readTwoFactor = defineRoute({
  method: 'GET',
  path: '/api/user/two-factor',
  access: 'user',
  answer: twoFactorSchema,
})
/** Gives a secret for an app. Nothing is on until a code of it confirms that, within half an hour. */
export const beginTwoFactorBody = z.strictObject({ current: presentPassword })
export const beginTwoFactor = defineRoute({
  method: 'POST',
  path: '/api/user/two-factor/begin',
  access: 'user',
  body: beginTwoFactorBody,
  answer: z.strictObject({
    /** base32, to be typed into an app */
    secret: z.string(),
    /** the same as `otpauth:`, to be drawn as a QR code */
    link: z.string(),
  }),
})
const codes = z.strictObject({
  /** shown this once: the database has their hashes */
  recovery_codes: z.array(z.string()),
})
/** Turns it on, and ends all other sessions. */
export const confirmTwoFactor = defineRoute({
  method: 'POST',
  path: '/api/user/two-factor/confirm',
  access: 'user',
  body: z.strictObject({ code }),
  answer: codes,
})
const proof = z.strictObject({ current: presentPassword, code })
/** Replaces all recovery codes. */
export const renewRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/api/user/two-factor/recovery-codes',
  access: 'user',
  body: proof,
  answer: codes,
})
export const turnOffTwoFactor = defineRoute({
  method: 'POST',
  path: '/api/user/two-factor/off',
  access: 'user',
  body: proof,
  answer: ok,
})
