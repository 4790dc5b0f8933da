import { z } from 'zod'
import { personFields } from './auth'
import { defineRoute } from './route'

const token = z.string().min(1, 'Required').max(128)

/** The response does not reveal whether the account exists. */
export const requestResetBody = z.strictObject({ email: personFields.email })
export const requestReset = defineRoute({
  method: 'POST',
  path: '/api/auth/reset',
  access: 'guest',
  body: requestResetBody,
  answer: z.strictObject({
    /** false: there is no mail server, and the link is printed on the server's console */
    by_mail: z.boolean(),
  }),
})

/** The state of a reset's link; the address is returned for password managers while the link is valid. */
export const lookAtReset = defineRoute({
  method: 'POST',
  path: '/api/auth/reset/look',
  access: 'guest',
  body: z.strictObject({ token }),
  answer: z.strictObject({
    state: z.enum(['open', 'expired', 'used', 'unknown']),
    email: z.string().nullable(),
    /**
     * the account's keys, while the link is valid: a new password ends sessions, but keys stay unless they are deleted
     * too
     */
    api_keys: z.array(z.strictObject({ name: z.string(), project: z.string() })),
  }),
})

/** Ends all sessions of the account. */
export const finishResetBody = z.strictObject({
  token,
  password: personFields.password,
  /** whether the account's API keys are deleted; absent: no */
  delete_api_keys: z.boolean().optional(),
})
export const finishReset = defineRoute({
  method: 'POST',
  path: '/api/auth/reset/finish',
  access: 'guest',
  // each computes a hash
  limit: { by: 'address', most: 30 },
  body: finishResetBody,
  answer: z.strictObject({ email: z.string() }),
})
