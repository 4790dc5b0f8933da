import { z } from 'zod'
import { personFields } from './auth'
import { defineRoute } from './route'

const token = z.string().min(1, 'Required').max(128)

/** The same answer whether there is such an account or not. */
export const requestResetBody = z.strictObject({ email: personFields.email })
export const requestReset = defineRoute({
  method: 'POST',
  path: '/api/auth/reset',
  access: 'guest',
  body: requestResetBody,
  answer: z.strictObject({
    /** false: there is no mail server, and the link is printed where the server runs */
    by_mail: z.boolean(),
  }),
})

/** What becomes of a reset's link; the address is there for password managers while it is open. */
export const lookAtReset = defineRoute({
  method: 'POST',
  path: '/api/auth/reset/look',
  access: 'guest',
  body: z.strictObject({ token }),
  answer: z.strictObject({
    state: z.enum(['open', 'expired', 'used', 'unknown']),
    email: z.string().nullable(),
    /** the account's, while the link is open: a new password ends sessions, and keys live on unless they are deleted too */
    api_keys: z.array(z.strictObject({ name: z.string(), project: z.string() })),
  }),
})

/** Ends every session of the account. */
export const finishResetBody = z.strictObject({
  token,
  password: personFields.password,
  /** and the keys by which programs act as it; left out: they stay */
  delete_api_keys: z.boolean().optional(),
})
export const finishReset = defineRoute({
  method: 'POST',
  path: '/api/auth/reset/finish',
  access: 'guest',
  // each costs a hash
  limit: { by: 'address', most: 30 },
  body: finishResetBody,
  answer: z.strictObject({ email: z.string() }),
})
